/**
 * `npm test` runs every test except those that start the product's processes, which `npm run test:whole` (`--whole`)
 * runs; `npm test -- test/whole/restart.test.ts` runs one file of either, because the arguments after `--` go to Jest.
 * `npm run test:unit` (`--unit`) runs the tests that need no server, apart from long files, without looking for any
 * external program. The last line is `N passed, N failed`, with `, N skipped` when there are any.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUMMARY_VARIABLE, type Summary } from '../../test/support/runner/summaryReporter.ts';
import { compileCache } from './engines/fetch/compileCache.ts';
import {
  EngineError,
  resolveDuckdbExtensions,
  resolveEngines,
  resolveSentenceEncoderDir,
  resolveTestServer,
} from './engines/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const LANES = ['--unit', '--whole'];
const given = process.argv.slice(2).filter((argument) => !LANES.includes(argument));
const isUnit = process.argv.includes('--unit');
const isWhole = process.argv.includes('--whole');
/** Folders of the tests that start the product's processes, all of them or a worker. */
const WHOLE = ['test/whole/', 'test/workers/'];

/**
 * Downloads missing programs before the tests' time limits start. An unavailable program is reported here, and fails
 * only the tests that need it.
 */
async function prepareEngines(): Promise<void> {
  const options = {
    report: (line: string) => console.error(`[test] ${line}`),
    env: process.env,
    optionalTimeoutMs: 600_000, // tests need the models that a stack can do without
  };
  for (const resolve of [resolveEngines, resolveDuckdbExtensions, resolveSentenceEncoderDir, resolveTestServer]) {
    try {
      await resolve(options);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      console.error(`[test] ${error.message}`);
    }
  }
}

function jestArguments(): string[] {
  if (isUnit) return ['--config', 'jest.unit.config.js', ...given];
  const namesFiles = given.some((argument) => argument.startsWith('test/'));
  if (namesFiles) return given;
  // Each of them keeps both cores busy while it starts.
  if (isWhole) return ['--maxWorkers', '2', ...given, ...WHOLE];
  return [...given, '--testPathIgnorePatterns', '/node_modules/', ...WHOLE.map((folder) => `/${folder}`)];
}

async function runJest(summaryFile: string): Promise<number> {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const nodeOptions = [process.env['NODE_OPTIONS'], '--disable-warning=ExperimentalWarning'];
  const env = {
    ...process.env,
    NODE_OPTIONS: nodeOptions.filter(Boolean).join(' '),
    [SUMMARY_VARIABLE]: summaryFile,
    ...(await compileCache(process.env)),
  };
  const child = spawn(process.execPath, [jest, ...jestArguments()], { cwd: ROOT, env, stdio: 'inherit' });
  process.on('SIGINT', () => {}); // a Ctrl+C reaches Jest directly; wait for it to clean up
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function readSummary(path: string): Summary {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Summary;
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }; // Jest did not finish; its exit code shows that
  }
}

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'attune-summary-'));
  try {
    if (!isUnit) await prepareEngines();
    const code = await runJest(join(folder, 'summary.json'));
    const { passed, failed, skipped } = readSummary(join(folder, 'summary.json'));
    const faults = code === 0 ? failed : Math.max(failed, 1);
    console.log(`${passed} passed, ${faults} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    return faults > 0 ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
