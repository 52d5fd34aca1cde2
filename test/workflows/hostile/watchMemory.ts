import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 200;

/**
 * Watches the memory of all descendants of this process; `stop` returns the largest that one process had, in bytes.
 */
export function watchMemory(): { stop: () => number } {
  let peak = 0;
  const timer = setInterval(() => {
    for (const bytes of ofDescendants()) peak = Math.max(peak, bytes);
  }, EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

function ofDescendants(): number[] {
  const parents = new Map<string, string>();
  const memory = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const status = statusOf(pid);
    parents.set(pid, /^PPid:\s+(\d+)/m.exec(status)?.[1] ?? '0');
    memory.set(pid, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024);
  }
  const isOwn = (pid: string | undefined): boolean =>
    pid !== undefined && pid !== '0' && (pid === String(process.pid) || isOwn(parents.get(pid)));
  return [...memory].filter(([pid]) => pid !== String(process.pid) && isOwn(pid)).map(([, bytes]) => bytes);
}

/** Returns an empty text for a process that has just ended. */
function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
