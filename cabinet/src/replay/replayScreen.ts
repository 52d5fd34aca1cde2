/** Shows the events of a recording with rrweb, from the first full snapshot on. */
import { Replayer } from '@rrweb/replay';
import type { RecordedEvent } from './unpackParts.ts';

const FULL_SNAPSHOT = 2;

type Options = NonNullable<ConstructorParameters<typeof Replayer>[1]>;
const SILENT = { log() {}, warn() {} };
const OPTIONS = {
  mouseTail: false,
  showWarning: false,
  logger: SILENT,
  triggerFocus: false,
} satisfies Partial<Options>;

interface Listeners {
  /** An event cannot be shown; the others are shown all the same. */
  onFault(): void;
  /** The last event that has arrived was shown. */
  onFinish(): void;
}

export class ReplayScreen {
  readonly #root: HTMLElement;
  readonly #listeners: Listeners;
  /** Events that arrived before there was anything to show. */
  readonly #pendingEvents: RecordedEvent[] = [];
  #replayer: Replayer | null = null;
  #speed = 1;

  constructor(root: HTMLElement, listeners: Listeners) {
    this.#root = root;
    this.#listeners = listeners;
  }

  get isOn(): boolean {
    return this.#replayer !== null;
  }

  /** The current position in milliseconds; 0 before there is anything to show. */
  get time(): number {
    return this.#replayer?.getCurrentTime() ?? 0;
  }

  /** Adds more events, in order. Returns true if there is something to show from now on. */
  add(events: readonly RecordedEvent[]): boolean {
    if (this.#replayer === null) {
      this.#pendingEvents.push(...events);
      return this.#begin();
    }
    for (const event of events) this.#replayer.addEvent(event as unknown as Parameters<Replayer['addEvent']>[0]);
    return false;
  }

  playFrom(at: number): void {
    this.#replayer?.play(at);
  }

  /** Pauses where it is, or at a position in milliseconds. */
  pause(at?: number): void {
    this.#replayer?.pause(at);
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#replayer?.setConfig({ speed });
  }

  #begin(): boolean {
    if (this.#pendingEvents.length < 2 || !this.#pendingEvents.some(({ type }) => type === FULL_SNAPSHOT)) return false;
    const events = this.#pendingEvents.splice(0) as unknown as ConstructorParameters<typeof Replayer>[0];
    const replayer = new Replayer(events, { ...OPTIONS, root: this.#root, speed: this.#speed });
    this.#replayer = replayer;
    guard(replayer, () => this.#listeners.onFault());
    // Nothing in it can be clicked, or reached with the keyboard.
    replayer.wrapper.inert = true;
    replayer.on('resize', (size) => fit(this.#root, size as Size));
    replayer.on('finish', () => this.#listeners.onFinish());
    return true;
  }
}

/** The private methods by which a replayer shows an event. */
type ReplayerInternals = Record<'rebuildFullSnapshot' | 'applyIncremental', (...given: unknown[]) => unknown>;

/** Skips a malformed event, so that the others are shown all the same. */
function guard(replayer: Replayer, onFault: () => void): void {
  const internals = replayer as unknown as ReplayerInternals;
  for (const name of ['rebuildFullSnapshot', 'applyIncremental'] as const) {
    const show = internals[name].bind(replayer);
    internals[name] = (...given) => {
      try {
        return show(...given);
      } catch {
        return onFault();
      }
    };
  }
}

interface Size {
  width: number;
  height: number;
}

let shown: Size = { width: 1, height: 1 };

/** Scales the visitor's whole window to the available space. */
function fit(root: HTMLElement, size: Size = shown): void {
  shown = size;
  const scale = Math.min(1, innerWidth / size.width, innerHeight / size.height);
  root.style.setProperty('--scale', String(scale));
}

/** Rescales whenever the available space changes. */
export function keepFit(root: HTMLElement): void {
  addEventListener('resize', () => fit(root));
}
