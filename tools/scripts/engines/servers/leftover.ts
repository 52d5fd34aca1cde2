/**
 * Makes sure that one launcher at a time serves a data folder. A server that outlived a killed launcher is stopped; it
 * is not adopted, because its port and settings are those of the earlier run. The server of a running launcher is left
 * alone.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { EngineError } from '../fetch/engineError.ts';
import { isAlive, PROGRAM_LIMIT_MS, run } from '../fetch/process.ts';

const STOP_TIMEOUT_MS = 20_000;

/** Process ids are reused, so the launcher's is stored with its command line. */
interface ClaimRecord {
  launcher: number;
  launcherCommand: string;
  server: number | null;
}

export interface Claim {
  /** Name for messages: "postgres". */
  name: string;
  /** File that records who serves `data`. */
  claimFile: string;
  /** The server's folder or file; it is a part of the server's command line. */
  data: string;
  /** Process id that the server itself records, where it does. */
  serverPid?: number | null;
  /** Signals that stop it, the gentlest first. */
  signals: readonly NodeJS.Signals[];
  report: (line: string) => void;
}

/** Returns the command line of a process; empty when it has ended or is not visible. */
async function commandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    const { stdout } = await run({ command: 'ps', args: ['-o', 'command=', '-p', String(pid)] }, PROGRAM_LIMIT_MS);
    return stdout.trim();
  }
}

async function readClaimFile(path: string): Promise<ClaimRecord | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ClaimRecord;
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

async function refuseWhileServed(claim: Claim, record: ClaimRecord | null): Promise<void> {
  if (record === null || record.launcher === process.pid || !isAlive(record.launcher)) return;
  if ((await commandLine(record.launcher)) !== record.launcherCommand) return;
  throw new EngineError(
    `${claim.name}: process ${record.launcher} already serves ${claim.data}: stop it or use another ATTUNE_DATA_DIR`,
  );
}

async function writeClaimFile(path: string, server: number | null): Promise<void> {
  const record: ClaimRecord = { launcher: process.pid, launcherCommand: await commandLine(process.pid), server };
  await writeFile(path, JSON.stringify(record));
}

/**
 * Makes sure that nobody serves the data, and claims it for this process.
 * @throws {EngineError} when another running launcher serves it, or a leftover server does not stop.
 */
export async function claimData(claim: Claim): Promise<void> {
  const record = await readClaimFile(claim.claimFile);
  const pid = claim.serverPid ?? record?.server ?? null;
  const running = pid !== null && isAlive(pid) && (await commandLine(pid)).includes(claim.data);
  if (running) {
    await refuseWhileServed(claim, record);
    await stopServer(claim, pid);
  }
  await writeClaimFile(claim.claimFile, null);
}

/** Adds the server's process id to the file {@link Claim.claimFile}, for a later start. */
export async function recordServer(claim: Claim, pid: number): Promise<void> {
  await writeClaimFile(claim.claimFile, pid);
}

export async function releaseData(claim: Claim): Promise<void> {
  await rm(claim.claimFile, { force: true });
}
