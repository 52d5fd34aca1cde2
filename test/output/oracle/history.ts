/** What was true when: the states that a request may have met between its start and its end. */
import type { State } from './world.ts';

interface Version {
  state: State;
  /** Nobody can have met it before; on the clock of `performance.now()`. */
  begun: number;
  /** From then on nothing older can be met; Infinity while the write is not answered. */
  answered: number;
}

/** A write: what it does, and the states that it goes through, the last of which stays. */
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
  /** What was written, the latest last, for reports. */
  readonly log: string[] = [];

  constructor(state: State) {
    this.#versions = [{ state, begun: 0, answered: 0 }];
  }

  get state(): State {
    return (this.#versions.at(-1) as Version).state;
  }

  /** One write at a time, for else nobody knew which came first. */
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

  /** The latest version, when it is too old to be kept for its age. */
  #latest(begun: number): Version[] {
    const latest = this.#versions.at(-1);
    return latest && begun - latest.answered >= KEPT_MS ? [latest] : [];
  }

  /** The states that somebody may have met who asked at `from` and was answered at `to`. */
  possible(from: number, to: number): State[] {
    const first = this.#versions.findLastIndex(({ answered }) => answered <= from);
    return this.#versions
      .slice(Math.max(0, first))
      .filter(({ begun }, at) => at === 0 || begun <= to)
      .map(({ state }) => state);
  }
}
