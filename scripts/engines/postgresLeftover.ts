/**
 * What an earlier run may have left in a data folder: a server that outlived a launcher which was
 * killed (it is stopped), a lock file whose process is gone or another program's by now (it is
 * removed), or the server of a launcher that still runs (that one is left alone).
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from './engineError.ts';
import { isAlive, run } from './process.ts';

const STOP_TIMEOUT_MS = 20_000;

/** The command line of a process; empty when it is gone or not to be seen. */
export async function commandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    const { stdout } = await run({ command: 'ps', args: ['-o', 'command=', '-p', String(pid)] }, 5000);
    return stdout.trim();
  }
}

async function readPid(path: string): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : null;
}

async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/** SIGINT is PostgreSQL's fast stop, SIGQUIT its immediate one: the log makes the data whole at the next start. */
async function stopServer(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT');
  if (await waitForEnd(pid, STOP_TIMEOUT_MS)) return;
  process.kill(pid, 'SIGQUIT');
  if (await waitForEnd(pid, STOP_TIMEOUT_MS)) return;
  throw new EngineError(`postgres: the server ${pid} of an earlier run does not stop: end it with kill -9 ${pid}`);
}

/** A process id with its command line, so that a number that the system has given away again is not taken for ours. */
interface Launcher {
  pid: number;
  command: string;
}

async function readLauncher(path: string): Promise<Launcher | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Launcher;
  } catch {
    return null;
  }
}

/**
 * Makes sure that nobody else serves `pgdata`, and marks it as this process's.
 * @param home folder for the mark; the data folder itself belongs to another account.
 * @throws {EngineError} when another launcher that still runs serves it.
 */
export async function clearLeftovers(home: string, pgdata: string, report: (line: string) => void): Promise<void> {
  const mark = join(home, 'launcher.json');
  const lock = join(pgdata, 'postmaster.pid');
  const pid = await readPid(lock);
  const running = pid !== null && isAlive(pid) && (await commandLine(pid)).includes(pgdata);
  if (running) {
    const launcher = await readLauncher(mark);
    const owned = launcher !== null && launcher.pid !== process.pid && isAlive(launcher.pid) && (await commandLine(launcher.pid)) === launcher.command;
    if (owned) throw new EngineError(`postgres: process ${launcher.pid} already serves ${pgdata}: stop it or use another ATTUNE_DATA_DIR`);
    report(`postgres: stopping the server ${pid} that an earlier run left behind`);
    await stopServer(pid);
  }
  if (pid !== null) await rm(lock, { force: true });
  await writeFile(mark, JSON.stringify({ pid: process.pid, command: await commandLine(process.pid) } satisfies Launcher));
}
