/** Recoveries: what a webhook did not get in some stretch of time is queued again, at a pace that its fresh events do not feel. */
import type { DeliveryStatus } from './webhookDelivery.ts';

/** Statuses of a delivery that a recovery may take up. */
export const RECOVERABLE_STATUSES = ['failed', 'dropped'] as const satisfies readonly DeliveryStatus[];
export type RecoverableStatus = (typeof RECOVERABLE_STATUSES)[number];

/** `cancelled`: the webhook was disabled meanwhile, or its project is no longer active. */
export const RECOVERY_STATES = ['running', 'done', 'cancelled'] as const;
export type RecoveryState = (typeof RECOVERY_STATES)[number];

/** How far a recovery is. */
export interface RecoveryProgress {
  state: RecoveryState;
  /** Deliveries that it found at its start; null until they are counted, and when more than {@link RECOVERY_COUNTED} are undelivered. */
  total: number | null;
  /** Queued again. */
  done: number;
  /** Left as they are, because their item has been deleted. */
  skipped: number;
}

/** What one activity of a recovery says. */
export interface RecoveryPage extends RecoveryProgress {
  /** Milliseconds until the next page; of no meaning once the recovery is over. */
  pauseMs: number;
}

/** Undelivered rows are looked at as far as this for the total: the first page has other work, and 30 s for all of it. */
export const RECOVERY_COUNTED = 100_000;

/**
 * First attempts of a webhook that may wait when a page is added to them. The lane goes by age, so
 * fresh events come behind these. At least four rounds of the attempts made at once, at most what a
 * fast receiver takes within half a second. A recovery begins with the least (its first page doubles).
 */
export const RECOVERY_ROOM = { first: 32, least: 64, most: 500 } as const;

/**
 * Retries of a webhook from which nothing is added: a recovery at a receiver that refuses everything
 * must not fill the backlog, from whose limit on fresh events are dropped (BACKLOG_LIMIT).
 */
export const RECOVERY_RETRIES_MOST = 10_000;

const PAGE_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** What stands before the fresh events of a webhook, and who else waits. */
export interface LaneLoad {
  /** First attempts, those under way included, counted as far as the most room and one more. */
  waiting: number;
  /** Deliveries between two attempts, counted as far as RECOVERY_RETRIES_MOST. */
  retrying: number;
  /** The backlog is over its limit. */
  isOverBacklog: boolean;
}

/**
 * The room for this page, from that of the last one: doubled when most of it was used up in the
 * pause, halved when little was. So what waits is between about half a second's and two seconds'
 * work of the receiver, whatever its speed.
 */
export function nextRoom(room: number, waiting: number): number {
  if (waiting < room / 4) return Math.min(RECOVERY_ROOM.most, room * 2);
  if (waiting > (room * 3) / 4) return Math.max(RECOVERY_ROOM.least, Math.floor(room / 2));
  return room;
}

/** Deliveries that may be queued now. */
export function freePlaces(room: number, { waiting, retrying, isOverBacklog }: LaneLoad): number {
  if (isOverBacklog || retrying >= RECOVERY_RETRIES_MOST) return 0;
  return Math.max(0, room - waiting);
}

/**
 * Milliseconds until the next page.
 * @param queued `full`: all places; `part`: fewer, and there is more to look at; `nothing`: no place was free
 * @param idleMs since it came further last. With nothing queued the pause is as long again, so that a
 *   receiver that is down for hours costs some looks only.
 */
export function pagePauseMs(queued: 'full' | 'part' | 'nothing', idleMs: number): number {
  if (queued === 'part') return 0;
  if (queued === 'full') return PAGE_PAUSE_MS;
  return Math.round(Math.min(LONGEST_PAUSE_MS, Math.max(PAGE_PAUSE_MS, idleMs)));
}
