/** The times of a recording as far as it has arrived, in milliseconds from its beginning. */
import { createFullSnapshots } from './fullSnapshots.ts';
import { createGaps, type Gap, type Gaps } from './inactivity.ts';
import type { RecordedEvent } from './unpackParts.ts';

/** Time of a gap that is shown before and after the skipped part. */
const LEAD_MS = 1_000;

export class Timeline {
  readonly #fullSnapshots = createFullSnapshots();
  #beginning: number | null = null;
  #gaps: Gaps | null = null;
  #until = 0;

  /** The time of the first event; null before it has arrived. */
  get beginning(): number | null {
    return this.#beginning;
  }

  /** The last event. */
  get until(): number {
    return this.#until;
  }

  get gaps(): Gap[] {
    return this.#gaps?.list(this.#until) ?? [];
  }

  /** Adds more events, in order. */
  add(events: readonly RecordedEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.#beginning ??= events[0]?.timestamp ?? 0;
    this.#gaps ??= createGaps(this.#beginning);
    this.#gaps.add(events);
    this.#fullSnapshots.add(events, this.#beginning);
    this.#until = Math.max(this.#until, last.timestamp - this.#beginning);
  }

  /** Returns the gap to skip at a position. */
  skippedAt(at: number): Gap | undefined {
    return this.gaps.find(({ from, to }) => at >= from + LEAD_MS && at < to - 2 * LEAD_MS);
  }

  /** Returns the position at which playback continues when a gap is skipped. */
  endOf({ to }: Gap): number {
    return to - LEAD_MS;
  }

  /** Returns the position at which everything up to `at` is visible: rrweb shows the events before a position. */
  visibleFrom(at: number): number {
    return at >= this.#until ? this.#until + 1 : this.#fullSnapshots.after(at);
  }
}
