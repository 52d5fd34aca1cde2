/** Plays a recording while its parts arrive. */
import type { FromPlayer } from './playerMessages.ts';
import { ReplayScreen } from './replayScreen.ts';
import { Timeline } from './timeline.ts';
import { eventsOf, splitParts, unpack, type RecordedEvent } from './unpackParts.ts';

/** Maximum JSON size of all parts together: as objects it takes several times as much memory. */
const MAX_TEXT_BYTES = 96 * 1024 * 1024;
const TICK_MS = 100;

export class Playback {
  readonly #post: (message: FromPlayer) => void;
  readonly #screen: ReplayScreen;
  readonly #timeline = new Timeline();
  #textBytes = 0;
  #isPlaying = false;
  #isSkipping = false;
  #isComplete = false;
  /** The rest is more than a browser should hold. */
  #isLimited = false;
  /** Everything that has arrived was shown. */
  #isStalled = false;

  constructor(root: HTMLElement, post: (message: FromPlayer) => void) {
    this.#post = post;
    this.#screen = new ReplayScreen(root, {
      onFault: () => post({ type: 'failed' }),
      onFinish: () => {
        this.#isStalled = true;
      },
    });
    setInterval(() => this.#tick(), TICK_MS);
  }

  async add(bytes: ArrayBuffer): Promise<void> {
    for (const { part } of splitParts(bytes)) {
      if (this.#isLimited || part.length === 0) continue;
      const text = await unpack(part, MAX_TEXT_BYTES - this.#textBytes);
      this.#isLimited = text === null;
      this.#textBytes += text?.length ?? 0;
      if (text !== null) this.#addEvents(eventsOf(text, this.#timeline.beginning));
    }
    // rrweb adds an event in a microtask, so wait for that.
    await Promise.resolve();
    if (this.#isStalled && this.#isPlaying) this.#goTo(this.#position);
    this.#postLoaded();
  }

  complete(): void {
    this.#isComplete = true;
    this.#postLoaded();
    if (!this.#screen.isOn) this.#post({ type: 'failed' });
  }

  play(): void {
    if (!this.#screen.isOn) return;
    this.#isPlaying = true;
    this.#goTo(this.#position >= this.#timeline.until ? 0 : this.#position);
  }

  pause(): void {
    this.#isPlaying = false;
    this.#screen.pause();
    this.#postTime();
  }

  seek(at: number): void {
    this.#goTo(Math.min(this.#timeline.until, Math.max(0, at)));
  }

  setSpeed(value: number): void {
    this.#screen.setSpeed(value);
  }

  skipGaps(isOn: boolean): void {
    this.#isSkipping = isOn;
  }

  /** Reports that an unexpected error kept something from being shown. */
  fail(): void {
    this.#isPlaying = false;
    this.#post({ type: 'failed' });
    this.#postTime();
  }

  get #position(): number {
    return Math.min(this.#timeline.until, Math.max(0, this.#screen.time));
  }

  #addEvents(events: readonly RecordedEvent[]): void {
    if (events.length === 0) return;
    this.#timeline.add(events);
    if (this.#screen.add(events)) this.#goTo(0);
  }

  #goTo(at: number): void {
    this.#isStalled = false;
    try {
      if (this.#isPlaying) this.#screen.playFrom(at);
      else this.#screen.pause(this.#timeline.visibleFrom(at));
      this.#postTime(at);
    } catch {
      this.fail();
    }
  }

  #tick(): void {
    if (!this.#isPlaying || !this.#screen.isOn) return;
    const at = this.#position;
    const gap = this.#isSkipping ? this.#timeline.skippedAt(at) : undefined;
    if (gap) {
      this.#post({ type: 'skipped', gap });
      this.#goTo(this.#timeline.endOf(gap));
      return;
    }
    if (at >= this.#timeline.until && (this.#isComplete || this.#isLimited)) this.#isPlaying = false;
    this.#postTime(at);
  }

  #postTime(at = this.#position): void {
    this.#post({ type: 'time', at, isPlaying: this.#isPlaying });
  }

  #postLoaded(): void {
    const { until, gaps } = this.#timeline;
    const isLimited = this.#isLimited;
    this.#post({ type: 'loaded', until, gaps, isComplete: this.#isComplete || isLimited, isLimited });
  }
}
