/** Schemathesis, the fuzzer: a Python package, downloaded once by pip at pinned versions. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseCacheDir, ensureEntry } from '../engines/fetch/cache.ts';
import { EngineError } from '../engines/fetch/engineError.ts';
import { run } from '../engines/fetch/process.ts';
import { onPath, type Env, type Report } from '../engines/fetch/sources.ts';

const CONSTRAINTS = join(import.meta.dirname, 'constraints.txt');
const INSTALL_TIMEOUT_MS = 600_000;
/** Wheels depend on the Python version, so each version has its own folder. */
const PYTHON_TAG =
  'import sys, platform; print(f"{sys.version_info.major}.{sys.version_info.minor}-{platform.machine()}")';

export interface Fuzzer {
  python: string;
  /** Value for PYTHONPATH. */
  packages: string;
}

/**
 * Returns the fuzzer's folder, filled by `pip install --target` when missing.
 * @throws {EngineError} with one line that names what is missing
 */
export async function resolveFuzzer(env: Env, report: Report): Promise<Fuzzer> {
  const python = (await onPath('python3', env)) ?? (await onPath('python', env));
  if (python === null) throw new EngineError('the fuzzer needs python3 (3.10 or newer) with pip on the PATH');
  const { stdout } = await run({ command: python, args: ['-c', PYTHON_TAG], env }, 20_000);
  const constraints = await readFile(CONSTRAINTS, 'utf8');
  const packages = await ensureEntry(await chooseCacheDir(env), {
    name: `schemathesis-python${stdout.trim()}`,
    sha256: createHash('sha256').update(constraints).digest('hex'),
    files: ['schemathesis/cli/__init__.py'],
    fill: (folder) => install(python, folder, env, report),
  });
  return { python, packages };
}

async function install(python: string, folder: string, env: Env, report: Report): Promise<void> {
  report('schemathesis: installing with pip');
  const args = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-input',
    '--disable-pip-version-check',
    '--root-user-action',
    'ignore',
    '--only-binary',
    ':all:',
  ];
  args.push('--target', folder, '--constraint', CONSTRAINTS, 'schemathesis');
  const result = await run({ command: python, args, env, cwd: folder }, INSTALL_TIMEOUT_MS);
  if (result.code === 0) return;
  const reason = result.timedOut
    ? `not done within ${INSTALL_TIMEOUT_MS / 1000} s`
    : result.stderr.trim().split('\n').at(-1);
  throw new EngineError(`schemathesis could not be installed: ${reason}`);
}
