/**
 * Messages between a page of the cabinet and the document of the player (replay.html). The document shows strangers'
 * pages and is isolated by a separate policy; both sides accept messages only from each other.
 */
import type { Gap } from './inactivity.ts';

/** `at` is in milliseconds from the beginning of the recording; a speed of 2 is twice as fast. */
export type ToPlayer =
  /** Parts of the recording in the API's packed form, in order. */
  | { type: 'parts'; bytes: ArrayBuffer }
  /** There are no more parts. */
  | { type: 'complete' }
  | { type: 'play' }
  | { type: 'pause' }
  | { type: 'seek'; at: number }
  | { type: 'speed'; value: number }
  | { type: 'skip'; isOn: boolean };

/** Times are in milliseconds from the beginning of the recording. */
export type FromPlayer =
  | { type: 'ready' }
  /** `until`: the loaded duration; `isLimited`: the rest is more than a browser should hold. */
  | { type: 'loaded'; until: number; gaps: Gap[]; isComplete: boolean; isLimited: boolean }
  | { type: 'time'; at: number; isPlaying: boolean }
  | { type: 'skipped'; gap: Gap }
  /** The recording, or a part of it, cannot be shown. */
  | { type: 'failed' };

/** Returns whether a message is from that window and of the same origin. */
export function isFrom(event: MessageEvent, source: Window | null): boolean {
  return source !== null && event.source === source && event.origin === location.origin;
}
