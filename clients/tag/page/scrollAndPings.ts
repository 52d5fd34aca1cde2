/** Measures how far and for how long the page was read: scroll depth and pings. */
import { BOUNCE_MS } from '../../../domain/visits/bounce.ts';
import type { EventFields, EventType } from '../data/event.ts';
import { sizes } from './layout.ts';
import type { Options } from '../data/options.ts';
import { quietly } from './page.ts';

/** The first ping distinguishes a visit of 15 s, which is not a bounce, from a shorter one. */
const FIRST_PING_MS = BOUNCE_MS;
const PING_MS = 30_000;
/** A longer time without any input means that nobody is reading. */
const IDLE_MS = 300_000;
/** A ping this soon after another event would add no information. */
const FRESH_MS = 2000;

export interface Engagement {
  /** Reports the depth of this page when the visitor moves to another page or leaves. */
  leave(): void;
  /** Starts a page. */
  begin(): void;
}

/** @param sinceLast milliseconds since the last event of any type */
export function trackEngagement(
  report: (type: EventType, fields: Partial<EventFields>) => void,
  options: Options,
  sinceLast: () => number,
): Engagement {
  let [deepest, reported] = [0, 0];
  let active = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const touch = (): void => void (active = Date.now());
  const isActive = (): boolean => !document.hidden && Date.now() - active < IDLE_MS;
  const ping = (): void => {
    if (isActive()) report('ping', {});
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

/** Returns the percentage of the document that has passed the lower edge of the window. */
function depthNow(): number {
  const { scrollHeight } = document.documentElement;
  const seen = (scrollY + innerHeight) / Math.max(scrollHeight, 1);
  return Math.max(0, Math.min(100, Math.round(seen * 100)));
}
