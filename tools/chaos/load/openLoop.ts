/** An open loop: lives of several kinds start at a fixed rate, regardless of earlier ones. */
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../load/random.ts';
import type { Scenario } from './scenarios.ts';

interface Kind {
  name: string;
  life: Scenario;
  perSecond: number;
}

interface Options {
  seed: number;
  /** Ends the loop; errors of lives do not count as faults after that. */
  signal: AbortSignal;
}

export class OpenLoop {
  /** Unexpected ends of lives: a refused write, a fault of the load itself. */
  readonly faults: string[] = [];
  readonly #kinds: readonly Kind[];
  readonly #options: Options;
  readonly #underWay = new Set<Promise<void>>();
  #pausing = new AbortController();
  #pacing: Promise<unknown> = Promise.resolve();
  /** Number of lives of each kind so far. */
  readonly #begun = new Map<string, number>();

  /** Creates a paused loop. */
  constructor(kinds: readonly Kind[], options: Options) {
    this.#kinds = kinds;
    this.#options = options;
    this.#pausing.abort();
  }

  resume(): void {
    if (!this.#pausing.signal.aborted) return;
    this.#pausing = new AbortController();
    const stop = AbortSignal.any([this.#pausing.signal, this.#options.signal]);
    this.#pacing = Promise.all(this.#kinds.map((kind, index) => this.#pace(kind, index, stop)));
  }

  /** Starts no further lives; resolves when those under way have ended. */
  async pause(): Promise<void> {
    this.#pausing.abort();
    await this.#pacing;
    while (this.#underWay.size > 0) await this.whenEnded();
  }

  /** Resolves when the lives that are under way now have ended. */
  async whenEnded(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Counts a life among those under way. */
  follow(name: string, life: Promise<void>): void {
    const followed = life.catch((error: Error) => {
      if (!this.#options.signal.aborted) this.faults.push(`${name}: ${error.message}`);
    });
    this.#underWay.add(followed);
    void followed.finally(() => this.#underWay.delete(followed));
  }

  async #pace(kind: Kind, index: number, stop: AbortSignal): Promise<void> {
    const started = performance.now();
    for (let count = 0; !stop.aborted; count += 1) {
      const wait = started + (count * 1_000) / kind.perSecond - performance.now();
      if (wait > 0) await delay(wait, undefined, { signal: stop }).catch(() => {});
      if (!stop.aborted) this.#begin(kind, index);
    }
  }

  #begin({ name, life }: Kind, index: number): void {
    const n = (this.#begun.get(name) ?? 0) + 1;
    this.#begun.set(name, n);
    const random = createRandom(this.#options.seed + Math.imul(n, 0x9e3779b1) + index);
    this.follow(`${name} ${n}`, life(n, random));
  }
}
