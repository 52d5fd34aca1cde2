/** Distinguishes a running process from a later one with the same number. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Returns the start time of a process as a text that no other process with that number shares; null when it has ended.
 * A zombie counts as ended: it only waits for its parent. On Linux the start is counted in ticks since boot (field 22
 * of /proc/PID/stat), so the boot's id is included.
 */
export async function processStart(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

/** Returns true when the process that had this number at that start is still running. */
export async function isSameProcess(pid: number, start: string): Promise<boolean> {
  return (await processStart(pid)) === start;
}

async function startFromProc(pid: number): Promise<string | null> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'latin1'),
      readFile('/proc/sys/kernel/random/boot_id', 'latin1'),
    ]);
    // The name is in parentheses and may itself contain parentheses and spaces, so fields are counted after the last
    // one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    return ticks === undefined || state === 'Z' || state === 'X' ? null : `${boot.trim()}:${ticks}`;
  } catch {
    return null;
  }
}

async function startFromPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [state = 'Z', ...start] = stdout.trim().split(/\s+/);
    return state.startsWith('Z') ? null : start.join(' ');
  } catch {
    return null;
  }
}
