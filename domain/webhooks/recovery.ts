/**
 * Recoveries: events that a webhook missed in some period are queued again, at a pace that does not delay new events.
 */
import type { DeliveryStatus } from './deliveryStates.ts';

/** Statuses of a delivery that a recovery may take up. */
export const RECOVERABLE_STATUSES = ['failed', 'dropped'] as const satisfies readonly DeliveryStatus[];
export type RecoverableStatus = (typeof RECOVERABLE_STATUSES)[number];

/** `cancelled`: the webhook was disabled in the meantime, or its project is no longer active. */
export const RECOVERY_STATES = ['running', 'done', 'cancelled'] as const;
export type RecoveryState = (typeof RECOVERY_STATES)[number];

/** The progress of a recovery. */
export interface RecoveryProgress {
  state: RecoveryState;
  /**
   * Number of deliveries that it found when it began; null until they are counted, and when more than {@link
   * RECOVERY_COUNTED} are undelivered.
   */
  total: number | null;
  /** Number of deliveries queued again. */
  done: number;
  /** Number of deliveries left as they are, because their item has been deleted. */
  skipped: number;
}

/** The result of one activity of a recovery. */
export interface RecoveryPage extends RecoveryProgress {
  /** Milliseconds until the next page; meaningless once the recovery has ended. */
  pauseMs: number;
}

/** Maximum number of undelivered rows read for the total. The first page has 30 s for this and its other work. */
export const RECOVERY_COUNTED = 100_000;

/**
 * Number of first attempts of a webhook that may wait when a page is added to them. The lane goes by age, so new events
 * follow these. `least` is four rounds of the concurrent attempts, and `most` is what a fast receiver takes within half
 * a second. A recovery begins with half of `least`, and its first page doubles that.
 */
export const RECOVERY_ROOM = { first: 32, least: 64, most: 500 } as const;

/**
 * Number of retries of a webhook at which nothing more is added: a recovery at a receiver that refuses everything must
 * not fill the backlog, above whose limit new events are dropped (BACKLOG_LIMIT).
 */
export const MAX_RECOVERY_RETRIES = 10_000;

const PAGE_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** The deliveries of a webhook that are ahead of its new events, and those that wait for a retry. */
export interface LaneLoad {
  /** Number of first attempts, including those in progress, counted up to the maximum room and one more. */
  waiting: number;
  /** Number of deliveries between two attempts, counted up to MAX_RECOVERY_RETRIES. */
  retrying: number;
  /** True when the backlog is over its limit. */
  isOverBacklog: boolean;
}

/**
 * Returns the room for this page. It is double the last one if the receiver took most of that in the pause, and half if
 * it took little. So the receiver always has waiting deliveries for about half a second to two seconds, whatever its
 * speed.
 */
export function nextRoom(room: number, waiting: number): number {
  if (waiting < room / 4) return Math.min(RECOVERY_ROOM.most, room * 2);
  if (waiting > (room * 3) / 4) return Math.max(RECOVERY_ROOM.least, Math.floor(room / 2));
  return room;
}

/** Returns the number of deliveries that may be queued now. */
export function freeSlots(room: number, { waiting, retrying, isOverBacklog }: LaneLoad): number {
  if (isOverBacklog || retrying >= MAX_RECOVERY_RETRIES) return 0;
  return Math.max(0, room - waiting);
}

/**
 * Returns the milliseconds until the next page.
 * @param queued `full`: all slots; `part`: fewer, and there is more to read; `nothing`: no slot was free
 * @param idleMs time since the last progress. If nothing was queued, the pause is as long as this, so that a receiver
 *   that is down for hours costs only a few checks.
 */
export function pagePauseMs(queued: 'full' | 'part' | 'nothing', idleMs: number): number {
  if (queued === 'part') return 0;
  if (queued === 'full') return PAGE_PAUSE_MS;
  return Math.round(Math.min(MAX_PAUSE_MS, Math.max(PAGE_PAUSE_MS, idleMs)));
}

/** Time for which the record of an ended recovery is kept. */
export const RECOVERY_RECORD_SECONDS = 90 * 86_400;
