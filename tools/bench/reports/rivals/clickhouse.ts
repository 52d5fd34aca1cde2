/** ClickHouse's engine from the Python package chdb, in a child process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EngineError } from '../../../scripts/engines/fetch/engineError.ts';
import { run } from '../../../scripts/engines/fetch/process.ts';

/** Pinned, so that two runs of the benchmark use the same rival. */
const CHDB = 'chdb==4.4.0';
const INSTALL_TIMEOUT_MS = 600_000;

export interface ClickHouse {
  version: string;
  /** Executes a statement without a result. @throws ClickHouse's message */
  execute(sql: string): Promise<void>;
  /** @returns the result in ClickHouse's JSONCompact, and the milliseconds that the engine needed for it */
  ask(sql: string): Promise<{ ms: number; answer: Answer }>;
  close(): Promise<void>;
}

export interface Answer {
  data: unknown[][];
  totals?: unknown[];
  rows_before_limit_at_least?: number;
}

interface Reply {
  ms?: number;
  text?: string;
  error?: string;
}

/** @param folder the engine is installed below it and keeps its tables there */
export async function openClickHouse(folder: string, report: (line: string) => void): Promise<ClickHouse> {
  const python = await install(join(folder, 'python'), report);
  const child = spawn(python, [join(import.meta.dirname, 'clickhouse.py'), join(folder, 'clickhouse')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Required<Pick<Reply, 'ms' | 'text'>>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('chdb ended');
    const { ms = 0, text = '', error } = JSON.parse(value) as Reply;
    if (error !== undefined) throw new Error(error);
    return { ms, text };
  };
  const send = (sql: string, read: boolean): ReturnType<typeof next> => {
    child.stdin.write(`${JSON.stringify({ sql, read })}\n`);
    return next();
  };
  const { text: version } = await next();
  return {
    version,
    execute: async (sql) => void (await send(sql, false)),
    async ask(sql) {
      const { ms, text } = await send(sql, true).catch(async (error: Error) => {
        // chdb prints what it had written of a failed result before the next result, so one more query discards it.
        await send('select 1', true);
        throw error;
      });
      return { ms, answer: JSON.parse(text) as Answer };
    },
    async close() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}

async function install(folder: string, report: (line: string) => void): Promise<string> {
  const python = join(folder, 'bin', 'python');
  const mark = join(folder, CHDB);
  if (
    await access(mark).then(
      () => true,
      () => false,
    )
  )
    return python;
  report(`clickhouse: installing ${CHDB} with pip`);
  for (const [command, args] of [
    ['python3', ['-m', 'venv', folder]],
    [python, ['-m', 'pip', 'install', '--quiet', '--no-input', CHDB]],
    ['touch', [mark]],
  ] as const) {
    const { code, stderr } = await run({ command, args: [...args] }, INSTALL_TIMEOUT_MS);
    if (code !== 0) throw new EngineError(`clickhouse: ${command} ${args.join(' ')} failed: ${stderr.trim()}`);
  }
  return python;
}
