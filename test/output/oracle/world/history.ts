/** A history of states: it tells which of them a request may have seen between its start and its end. */
import type { State } from './world.ts';

interface Version {
  state: State;
  /** The earliest time at which anybody can have seen it, on the clock of `performance.now()`. */
  begun: number;
  /** The time from which no older state can be seen; Infinity until the write is answered. */
  answered: number;
}

/** A write: its action, and the states that it passes through, the last of which remains. */
export interface Write {
  what: string;
  send(): Promise<void>;
  states: readonly State[];
}

/** Longer than any request takes. */
const KEPT_MS = 60_000;

export class History {
  #versions: Version[];
  #last: Promise<void> = Promise.resolve();
  /** The log of writes, the latest last, for reports. */
  readonly log: string[] = [];

  constructor(state: State) {
    this.#versions = [{ state, begun: 0, answered: 0 }];
  }

  get state(): State {
    return (this.#versions.at(-1) as Version).state;
  }

  /** Runs one write at a time, because otherwise their order would be unknown. */
  async write(make: (state: State) => Write | null): Promise<void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      const write = make(this.state);
      if (write) await this.#run(write);
    } finally {
      resolve();
    }
  }

  async #run({ what, send, states }: Write): Promise<void> {
    const begun = performance.now();
    const versions = states.map((state) => ({ state, begun, answered: Infinity }));
    this.#versions = [
      ...this.#versions.filter(({ answered }) => begun - answered < KEPT_MS),
      ...this.#latest(begun),
      ...versions,
    ];
    await send();
    const answered = performance.now();
    for (const version of versions) version.answered = answered;
    this.log.push(what);
  }

  /** Returns the latest version if it is older than {@link KEPT_MS}, because the latest one is always kept. */
  #latest(begun: number): Version[] {
    const latest = this.#versions.at(-1);
    return latest && begun - latest.answered >= KEPT_MS ? [latest] : [];
  }

  /** Returns the states that a request sent at `from` and answered at `to` may have seen. */
  possible(from: number, to: number): State[] {
    const first = this.#versions.findLastIndex(({ answered }) => answered <= from);
    return this.#versions
      .slice(Math.max(0, first))
      .filter(({ begun }, at) => at === 0 || begun <= to)
      .map(({ state }) => state);
  }
}
