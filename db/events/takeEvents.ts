/** Takes the events of one request: validates them, stores those that are accepted, and records the rejections. */
import type pg from 'pg';
import type { EventType } from '../../domain/events/eventTypes.ts';
import {
  itemsNamed,
  validateEvents,
  ordersNamed,
  type EventContext,
  type EventRejection,
  type ValidatedEvents,
  type SentEvent,
} from '../../domain/events/validateEvents.ts';
import { listEventTypes, markInUse } from './eventTypes.ts';
import { findManagedOrders, findUnknownItems } from './validationLookups.ts';
import { keepRejections } from './rejections.ts';
import { storeEvents, type StoreOptions } from './storeEvents.ts';

export interface TakeOptions extends StoreOptions {
  fingerprints: boolean;
  receivedAt: Date;
}

/** accepted + duplicates + rejected equals the number sent. */
export interface TakenOutcome {
  accepted: number;
  duplicates: number;
  rejected: EventRejection[];
}

/** Validates and stores events. Event types are read now, so a change in the cabinet takes effect at once. */
export async function takeEvents(
  pool: pg.Pool,
  events: readonly SentEvent[],
  options: TakeOptions,
): Promise<TakenOutcome> {
  const begunAt = performance.now();
  const { taken, rejected, repeated } = await validate(pool, events, options);
  const accepted = await storeEvents(pool, taken, options);
  await keepRejections(pool, options.projectId, { events, rejected, begunAt });
  return { accepted, duplicates: repeated + taken.length - accepted, rejected };
}

/**
 * A type may change its mode until its first event is stored. So the types of the events about to be stored are fixed
 * first. As a type may have changed before it was fixed, everything is then validated again. Each round fixes a type
 * that was not fixed, so the loop ends; there is nearly always one round.
 */
async function validate(pool: pg.Pool, events: readonly SentEvent[], options: TakeOptions): Promise<ValidatedEvents> {
  for (;;) {
    const types = await listEventTypes(pool, options.projectId);
    const validated = validateEvents(events, await readContext(pool, events, byCode(types), options));
    const used = new Set(validated.taken.map(({ type }) => type.code));
    const unused = types.filter(({ code, inUse }) => !inUse && used.has(code)).map(({ code }) => code);
    if (unused.length === 0) return validated;
    await markInUse(pool, options.projectId, unused);
  }
}

function byCode(types: readonly EventType[]): Map<string, EventType> {
  return new Map(types.map((type) => [type.code, type]));
}

async function readContext(
  pool: pg.Pool,
  events: readonly SentEvent[],
  types: ReadonlyMap<string, EventType>,
  { projectId, fingerprints, receivedAt }: TakeOptions,
): Promise<EventContext> {
  const unknown = await findUnknownItems(pool, projectId, itemsNamed(events));
  const orders = await findManagedOrders(pool, projectId, ordersNamed(events, types));
  return {
    types,
    hasItem: (item) => !unknown.has(item),
    isManagedOrder: (orderId) => orders.has(orderId),
    fingerprints,
    receivedAt,
  };
}
