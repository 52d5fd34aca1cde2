import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 200;

/**
 * Watches the memory of all descendants of this process; `stop` returns the largest that one process had, in bytes.
 */
export function watchMemory(): { stop: () => number } {
  let peak = 0;
  const descendants = new Descendants();
  const timer = setInterval(() => {
    for (const pid of descendants.find()) peak = Math.max(peak, memoryOf(pid));
  }, EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Remembers which processes are not descendants, because a machine may have hundreds of them. */
class Descendants {
  #known = new Map<string, boolean>([[String(process.pid), true]]);

  find(): string[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    this.#known = new Map(pids.map((pid) => [pid, this.#isOwn(pid)]));
    return pids.filter((pid) => pid !== String(process.pid) && this.#isOwn(pid));
  }

  #isOwn(pid: string): boolean {
    const known = this.#known.get(pid);
    if (known !== undefined) return known;
    const parent = /^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? '0';
    return parent !== '0' && this.#isOwn(parent);
  }
}

function memoryOf(pid: string): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) * 1024;
}

/** Returns an empty text for a process that has just ended. */
function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
