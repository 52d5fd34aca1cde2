/**
 * `npm run fuzz` runs Schemathesis against the running APIs, driven by their own OpenAPI descriptions. It requires
 * that there is no 500, no undocumented status, and no response that violates its schema. Its configuration for the
 * APIs is in tools/scripts/fuzz/*.toml, with reasons.
 *
 *   npm run fuzz                              the same requests every time
 *   npm run fuzz -- --seed 7 --examples 500   other requests, and more for each operation
 *   npm run fuzz -- --only content            a single API
 *   npm run fuzz -- -- --include-path /items  passes the last arguments to Schemathesis
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EngineError } from './engines/index.ts';
import { PASSES, type Pass } from './fuzz/passes.ts';
import { resolveFuzzer, type Fuzzer } from './fuzz/installSchemathesis.ts';
import type { TargetApi } from './fuzz/existing.ts';
import { startTarget, type Target } from './fuzz/target.ts';

const HOOKS = join(import.meta.dirname, 'fuzz', 'hooks.py');
/** Several times the duration of the longest pass with the default number of examples, so that a hanging pass ends. */
const PASS_LIMIT_MS = 30 * 60_000;
const report = (line: string): void => console.error(`[fuzz] ${line}`);

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      examples: { type: 'string', default: '50' },
      only: { type: 'string', default: '' },
    },
  });
  return { ...values, rest: positionals };
}
type Options = ReturnType<typeof readOptions>;

/** @returns true when the pass found nothing. */
async function runPass(
  fuzzer: Fuzzer,
  { folder }: Target,
  api: TargetApi,
  pass: Pass,
  options: Options,
): Promise<boolean> {
  report(`${api.base}: ${pass.title}`);
  const config = join(folder, 'schemathesis.toml');
  await writeFile(config, await pass.config(api));
  const args = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    config,
    'run',
    `${api.url}/openapi.json`,
    '--header',
    `Authorization: Bearer ${api.token}`,
    '--seed',
    options.seed,
    '--max-examples',
    options.examples,
    '--generation-database',
    'none',
    '--continue-on-failure',
    '--request-timeout',
    '20',
    ...pass.args,
    ...options.rest,
  ];
  const child = spawn(fuzzer.python, args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PYTHONPATH: fuzzer.packages,
      SCHEMATHESIS_HOOKS: HOOKS,
      ATTUNE_FUZZ_TAG_KEY: api.name === 'collect' ? api.token : '',
    },
  });
  // A Ctrl+C reaches the fuzzer directly; a signal to this process alone is forwarded to it.
  const stop = (): void => void child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  const limit = setTimeout(() => {
    report(`${api.base}: stopped after ${PASS_LIMIT_MS / 60_000} minutes`);
    stop();
  }, PASS_LIMIT_MS);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(limit);
  process.off('SIGTERM', stop);
  return code === 0 && (await isStillKnown(api));
}

/** Checks the token: a pass that happened to revoke it has seen only 401 from then on. */
async function isStillKnown({ base, url, token, probe }: TargetApi): Promise<boolean> {
  const { ok } = await fetch(url + probe, { headers: { Authorization: `Bearer ${token}` } });
  if (!ok) report(`${base}: the token no longer works, so the pass has tested little`);
  return ok;
}

async function main(): Promise<number> {
  const options = readOptions();
  const fuzzer = await resolveFuzzer(process.env, report);
  const target = await startTarget(process.env, report);
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isStopped = true));
  try {
    const outcomes: { name: string; ok: boolean }[] = [];
    for (const api of target.apis.filter(({ base }) => base.includes(options.only))) {
      for (const pass of PASSES.filter(({ without }) => !without?.includes(api.name))) {
        if (isStopped) return 1;
        outcomes.push({ name: `${api.base}: ${pass.title}`, ok: await runPass(fuzzer, target, api, pass, options) });
      }
    }
    for (const { name, ok } of outcomes) report(`${ok ? 'nothing found' : 'FINDINGS'}: ${name}`);
    return outcomes.length > 0 && outcomes.every(({ ok }) => ok) ? 0 : 1;
  } finally {
    await target.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof EngineError)) throw error;
  report(error.message);
  process.exitCode = 1;
}
