/** Ids of events that leave no row of their own are remembered as hashes. */
import { hash } from 'node:crypto';
import { MAX_EVENT_AGE_DAYS } from './occurredAt.ts';

/**
 * Days for which ids of `max` and `state`, and of deleted people's facts, are remembered: the maximum age of events.
 */
export const STATE_ID_DAYS = MAX_EVENT_AGE_DAYS;

/** Returns the first 128 bits of SHA-256, written as a UUID: enough for ids of a project never to collide. */
export function eventIdHash(id: string): string {
  const hex = hash('sha256', id, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
