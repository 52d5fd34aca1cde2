/** Plays a recording with rrweb while its parts arrive. */
import { Replayer } from '@rrweb/replay';
import { createGaps, type Gaps } from './inactivity.ts';
import type { FromPlayer, Gap } from './playerMessages.ts';
import { createWholes } from './fullSnapshots.ts';
import { eventsOf, splitParts, unpack, type RecordedEvent } from './unpackParts.ts';

export interface Playback {
  add(bytes: ArrayBuffer): Promise<void>;
  complete(): void;
  play(): void;
  pause(): void;
  seek(at: number): void;
  setSpeed(value: number): void;
  skipGaps(isOn: boolean): void;
  /** Reports that an unexpected error kept something from being shown. */
  fail(): void;
}

/** Maximum JSON size of all parts together: as objects it takes several times as much memory. */
const MAX_TEXT_BYTES = 96 * 1024 * 1024;
const TICK_MS = 100;
/** Time of a gap that is shown before and after the skipped part. */
const LEAD_MS = 1_000;
const FULL_SNAPSHOT = 2;

type Options = NonNullable<ConstructorParameters<typeof Replayer>[1]>;
const SILENT = { log() {}, warn() {} };
const OPTIONS = {
  mouseTail: false,
  showWarning: false,
  logger: SILENT,
  triggerFocus: false,
} satisfies Partial<Options>;

export function createPlayback(root: HTMLElement, tell: (message: FromPlayer) => void): Playback {
  const held: RecordedEvent[] = [];
  const wholes = createWholes();
  let gaps: Gaps | null = null;
  let replayer: Replayer | null = null;
  let beginning: number | null = null;
  let [until, textBytes, speed] = [0, 0, 1];
  let [isPlaying, isSkipping, isComplete, isLimited, isStalled] = [false, false, false, false, false];

  const position = (): number => Math.min(until, Math.max(0, replayer?.getCurrentTime() ?? 0));
  const tellTime = (at = position()): void => tell({ type: 'time', at, isPlaying });
  const tellLoaded = (): void =>
    tell({ type: 'loaded', until, gaps: gaps?.list(until) ?? [], isComplete: isComplete || isLimited, isLimited });
  const fail = (): void => {
    isPlaying = false;
    tell({ type: 'failed' });
    tellTime();
  };
  const go = (at: number): void => {
    isStalled = false;
    try {
      if (isPlaying) replayer?.play(at);
      // rrweb shows the events before a position, so the last event needs a position after it.
      else replayer?.pause(at >= until ? until + 1 : wholes.after(at));
      tellTime(at);
    } catch {
      fail();
    }
  };
  const begin = (): void => {
    if (replayer !== null || held.length < 2 || !held.some(({ type }) => type === FULL_SNAPSHOT)) return;
    const events = held.splice(0) as unknown as ConstructorParameters<typeof Replayer>[0];
    replayer = new Replayer(events, { ...OPTIONS, root, speed });
    guard(replayer, () => tell({ type: 'failed' }));
    // Nothing in it can be clicked, or reached with the keyboard.
    replayer.wrapper.inert = true;
    replayer.on('resize', (size) => fit(root, size as Size));
    replayer.on('finish', () => (isStalled = true));
    go(0);
  };
  const grow = (events: readonly RecordedEvent[]): void => {
    const last = events.at(-1);
    if (!last) return;
    beginning ??= events[0]?.timestamp ?? 0;
    gaps ??= createGaps(beginning);
    gaps.add(events);
    wholes.add(events, beginning);
    until = Math.max(until, last.timestamp - beginning);
    if (replayer === null) held.push(...events);
    else for (const event of events) replayer.addEvent(event as unknown as Parameters<Replayer['addEvent']>[0]);
    begin();
  };
  const skipped = (at: number): Gap | undefined =>
    gaps?.list(until).find(({ from, to }) => at >= from + LEAD_MS && at < to - 2 * LEAD_MS);
  const tick = (): void => {
    if (!isPlaying || replayer === null) return;
    const at = position();
    const gap = isSkipping ? skipped(at) : undefined;
    if (gap) {
      tell({ type: 'skipped', gap });
      return go(gap.to - LEAD_MS);
    }
    if (at >= until && (isComplete || isLimited)) isPlaying = false;
    return tellTime(at);
  };
  setInterval(tick, TICK_MS);

  return {
    async add(bytes) {
      for (const { part } of splitParts(bytes)) {
        if (isLimited || part.length === 0) continue;
        const text = await unpack(part, MAX_TEXT_BYTES - textBytes);
        isLimited = text === null;
        textBytes += text?.length ?? 0;
        if (text !== null) grow(eventsOf(text, beginning));
      }
      // rrweb adds an event in a microtask, so wait for that.
      await Promise.resolve();
      if (isStalled && isPlaying) go(position());
      tellLoaded();
    },
    complete() {
      isComplete = true;
      tellLoaded();
      if (replayer === null) tell({ type: 'failed' });
    },
    play() {
      if (replayer === null) return;
      isPlaying = true;
      go(position() >= until ? 0 : position());
    },
    pause() {
      isPlaying = false;
      replayer?.pause();
      tellTime();
    },
    seek: (at) => go(Math.min(until, Math.max(0, at))),
    setSpeed(value) {
      speed = value;
      replayer?.setConfig({ speed });
    },
    skipGaps(isOn) {
      isSkipping = isOn;
    },
    fail,
  };
}

/** The private methods by which a replayer shows an event. */
type Shows = Record<'rebuildFullSnapshot' | 'applyIncremental', (...given: unknown[]) => unknown>;

/** Skips a malformed event, so that the others are shown all the same. */
function guard(replayer: Replayer, onFault: () => void): void {
  const shows = replayer as unknown as Shows;
  for (const name of ['rebuildFullSnapshot', 'applyIncremental'] as const) {
    const show = shows[name].bind(replayer);
    shows[name] = (...given) => {
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
