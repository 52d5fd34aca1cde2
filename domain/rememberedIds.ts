/** Ids of events that leave no row of their own are remembered by their hash. */
import { hash } from 'node:crypto';

/** `max` and `state`, and facts of deleted people, are remembered as long as events may be old (days). */
export const STATE_ID_DAYS = 730;

/** The first 128 bits of SHA-256, written as a UUID: so many that no two ids of a project will meet. */
export function eventIdHash(id: string): string {
  const hex = hash('sha256', id, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
