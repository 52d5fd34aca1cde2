/** How far the page was read, and how long: scroll depth and pings. */
import type { EventFields, EventType } from './event.ts';
import { sizes } from './layout.ts';
import type { Options } from './options.ts';
import { quietly } from './page.ts';

/** The first tells a visit of 15 s, which is no bounce, from a shorter one. */
const FIRST_PING_MS = 15_000;
const PING_MS = 30_000;
/** Nobody reads a page for longer without touching anything. */
const IDLE_MS = 300_000;
/** A ping sooner after another event would say nothing new. */
const FRESH_MS = 2000;

export interface Attention {
  /** Another page, or none: the depth of this one is reported. */
  leave(): void;
  /** Begins a page. */
  begin(): void;
}

/** @param sinceLast milliseconds since the last event of any type */
export function watchAttention(
  report: (type: EventType, fields: Partial<EventFields>) => void,
  options: Options,
  sinceLast: () => number,
): Attention {
  let [deepest, reported] = [0, 0];
  let active = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const touch = (): void => void (active = Date.now());
  const isThere = (): boolean => !document.hidden && Date.now() - active < IDLE_MS;
  const ping = (): void => {
    if (isThere()) report('ping', {});
    timer = setTimeout(() => quietly(ping), PING_MS);
  };
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'touchstart', 'wheel']) {
    addEventListener(type, touch, { passive: true, capture: true });
  }
  addEventListener(
    'scroll',
    () => {
      touch();
      deepest = Math.max(deepest, depthNow());
    },
    { passive: true },
  );
  return {
    leave() {
      if (options.scroll && deepest > reported) report('scroll', { depth: deepest, ...sizes() });
      else if (options.ping && Date.now() - active < IDLE_MS && sinceLast() > FRESH_MS) report('ping', {});
      reported = deepest;
    },
    begin() {
      [deepest, reported] = [0, 0];
      touch();
      clearTimeout(timer);
      if (options.ping) timer = setTimeout(() => quietly(ping), FIRST_PING_MS);
    },
  };
}

/** Percent of the document that has passed the lower edge of the window. */
function depthNow(): number {
  const { scrollHeight } = document.documentElement;
  const seen = (scrollY + innerHeight) / Math.max(scrollHeight, 1);
  return Math.max(0, Math.min(100, Math.round(seen * 100)));
}
