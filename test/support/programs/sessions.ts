/** Niceness of the sessions that processes lead, where Linux groups processes by session. */
import { readFileSync } from 'node:fs';

const CAP_SYS_NICE = 23n;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Returns the session of a process with its niceness, as in `/autogroup-12 nice 10`; empty without such groups. */
export function sessionOf(pid: number | 'self'): string {
  return read(`/proc/${pid}/autogroup`);
}

/** Returns whether this process may give a session a niceness below 0. In most containers not even root may. */
export function mayRaiseSessions(): boolean {
  const [, capabilities = '0'] = /^CapEff:\s*(\w+)/m.exec(read('/proc/self/status')) ?? [];
  return sessionOf('self') !== '' && ((BigInt(`0x${capabilities}`) >> CAP_SYS_NICE) & 1n) === 1n;
}
