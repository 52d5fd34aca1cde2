/**
 * A server that keeps files is served by one launcher at a time. What an earlier run left behind: a
 * server that outlived a launcher which was killed is stopped (not adopted: its port and settings are
 * that run's); the server of a launcher that still runs is left alone.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { EngineError } from './engineError.ts';
import { isAlive, run } from './process.ts';

const STOP_TIMEOUT_MS = 20_000;

/** Process ids are given away again, so each is told with its command line. */
interface Mark {
  launcher: number;
  launcherCommand: string;
  server: number | null;
}

export interface Claim {
  /** For messages: "postgres". */
  name: string;
  /** File that tells who serves `data`. */
  mark: string;
  /** The server's folder or file; it is part of the server's command line. */
  data: string;
  /** The server's own word on its process id, where it keeps one. */
  serverPid?: number | null;
  /** How to stop it: gently, then less so. */
  signals: readonly NodeJS.Signals[];
  report: (line: string) => void;
}

/** The command line of a process; empty when it is gone or not to be seen. */
export async function commandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    const { stdout } = await run({ command: 'ps', args: ['-o', 'command=', '-p', String(pid)] }, 5000);
    return stdout.trim();
  }
}

async function readMark(path: string): Promise<Mark | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Mark;
  } catch {
    return null;
  }
}

async function waitForEnd(pid: number): Promise<boolean> {
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

async function stopServer(claim: Claim, pid: number): Promise<void> {
  claim.report(`${claim.name}: stopping the server ${pid} that an earlier run left behind`);
  for (const signal of claim.signals) {
    process.kill(pid, signal);
    if (await waitForEnd(pid)) return;
  }
  throw new EngineError(`${claim.name}: the server ${pid} of an earlier run does not stop: end it with kill -9 ${pid}`);
}

async function refuseWhileServed(claim: Claim, mark: Mark | null): Promise<void> {
  if (mark === null || mark.launcher === process.pid || !isAlive(mark.launcher)) return;
  if ((await commandLine(mark.launcher)) !== mark.launcherCommand) return;
  throw new EngineError(
    `${claim.name}: process ${mark.launcher} already serves ${claim.data}: stop it or use another ATTUNE_DATA_DIR`,
  );
}

async function writeMark(path: string, server: number | null): Promise<void> {
  const mark: Mark = { launcher: process.pid, launcherCommand: await commandLine(process.pid), server };
  await writeFile(path, JSON.stringify(mark));
}

/**
 * Makes sure that nobody serves the data, and marks it as this process's.
 * @throws {EngineError} when another launcher that still runs serves it, or a leftover does not stop.
 */
export async function claimData(claim: Claim): Promise<void> {
  const mark = await readMark(claim.mark);
  const pid = claim.serverPid ?? mark?.server ?? null;
  const running = pid !== null && isAlive(pid) && (await commandLine(pid)).includes(claim.data);
  if (running) {
    await refuseWhileServed(claim, mark);
    await stopServer(claim, pid);
  }
  await writeMark(claim.mark, null);
}

/** Adds the server's process id to the mark, for a later start. */
export async function recordServer(claim: Claim, pid: number): Promise<void> {
  await writeMark(claim.mark, pid);
}

export async function releaseData(claim: Claim): Promise<void> {
  await rm(claim.mark, { force: true });
}
