/** Opens a TCP connection to the first of several vetted addresses that answers (Happy Eyeballs, RFC 8305). */
import { connect, isIPv6, type Socket } from 'node:net';
import { OutgoingError, toOutgoingError } from './errors.ts';

/** RFC 8305, section 5: the recommended Connection Attempt Delay. */
const ATTEMPT_DELAY_MS = 250;

/**
 * Dials the addresses in sequence; the next attempt starts when the last one failed or was silent for 250 ms. The first
 * to connect wins, and the others are dropped. Node's own `autoSelectFamily` abandons an attempt at the point where
 * this function starts a second one in parallel, and so never reaches receivers whose latency exceeds the delay.
 *
 * @param addresses IP literals only, so nothing is resolved again
 * @throws {OutgoingError} `connection` when no address answers; the signal's reason when aborted
 */
export function dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const race = new DialRace(alternateFamilies(addresses), port, (outcome) => {
      signal.removeEventListener('abort', abort);
      if ('socket' in outcome) resolve(outcome.socket);
      else reject(outcome.error);
    });
    const abort = () => race.fail(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    race.next();
  });
}

type Outcome = { socket: Socket } | { error: unknown };

class DialRace {
  readonly #waiting: string[];
  readonly #port: number;
  readonly #settle: (outcome: Outcome) => void;
  readonly #pending = new Set<Socket>();
  #timer: NodeJS.Timeout | undefined;
  #settled = false;

  constructor(addresses: string[], port: number, settle: (outcome: Outcome) => void) {
    this.#waiting = addresses;
    this.#port = port;
    this.#settle = settle;
  }

  next(): void {
    clearTimeout(this.#timer);
    const address = this.#waiting.shift();
    if (address === undefined || this.#settled) return;
    const socket = connect({ host: address, port: this.#port, autoSelectFamily: false, noDelay: true });
    this.#pending.add(socket);
    socket.once('connect', () => this.#win(socket));
    socket.on('error', (error) => this.#lose(socket, error)); // kept: a dropped socket may still report an error
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.next(), ATTEMPT_DELAY_MS);
  }

  fail(error: unknown): void {
    this.#finish({ error });
  }

  #win(socket: Socket): void {
    this.#pending.delete(socket);
    this.#finish({ socket });
  }

  #lose(socket: Socket, error: unknown): void {
    if (!this.#pending.delete(socket)) return;
    if (this.#waiting.length > 0) return this.next();
    if (this.#pending.size === 0) this.#finish({ error: toOutgoingError(error, 'connection') });
  }

  #finish(outcome: Outcome): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    for (const socket of this.#pending) socket.destroy();
    this.#pending.clear();
    this.#settle(outcome);
  }
}

/** Returns IPv6 and IPv4 addresses in turn, beginning with the family of the first address. */
function alternateFamilies(addresses: readonly string[]): string[] {
  const first = addresses[0];
  if (first === undefined) throw new OutgoingError('dns');
  const same = addresses.filter((ip) => isIPv6(ip) === isIPv6(first));
  const other = addresses.filter((ip) => isIPv6(ip) !== isIPv6(first));
  return same.flatMap((ip, index) => [ip, ...other.slice(index, index + 1)]).concat(other.slice(same.length));
}
