/** Stores the events of one request, each as its type's mode has it, in one transaction. */
import type pg from 'pg';
import { STATE_ID_DAYS } from '../../domain/rememberedIds.ts';
import type { PersonEvent } from '../../domain/eventModes.ts';
import type { TakenEvent } from '../../domain/judgeEvents.ts';
import { identifierKey } from '../../domain/identity.ts';
import { dropUnused, recordLogins, resolveOrCreate } from '../identities.ts';
import { inTransaction } from '../pool.ts';
import { storeFacts } from './facts.ts';
import { addImpressions } from './impressions.ts';
import { rememberIds } from './rememberedIds.ts';
import { updateStates } from './states.ts';
import { dropWithinWindows } from './windows.ts';

export interface StoreOptions {
  projectId: string;
  /** How long the ids of impressions are remembered. */
  impressionIdDays: number;
}

/**
 * Stores events that were taken. Every request goes through the tables in one order and through each
 * in the order of its keys, so requests wait for each other but never in a circle.
 * @returns how many were new; the others repeat an id or fall within a window and changed nothing
 */
export async function storeEvents(
  pool: pg.Pool,
  events: readonly TakenEvent[],
  { projectId, impressionIdDays }: StoreOptions,
): Promise<number> {
  if (events.length === 0) return 0;
  const impressions = events.filter(({ type }) => type.is_impression);
  const others = events.filter(({ type }) => !type.is_impression);
  return inTransaction(pool, async (client) => {
    const { personal, created } = await resolvePeople(client, projectId, others, impressions);
    const facts = await dropWithinWindows(
      client,
      projectId,
      personal.filter(({ type }) => type.mode === 'fact'),
    );
    const states = personal.filter(({ type }) => type.mode !== 'fact');
    const fresh = new Set<TakenEvent>(
      await rememberIds<TakenEvent>(client, projectId, [
        ...states.map((event) => ({ event, days: STATE_ID_DAYS })),
        ...impressions.map((event) => ({ event, days: impressionIdDays })),
      ]),
    );
    const storedFacts = await storeFacts(client, projectId, facts);
    await updateStates(
      client,
      projectId,
      states.filter((event) => fresh.has(event)),
    );
    await addImpressions(
      client,
      projectId,
      impressions.filter((event) => fresh.has(event)),
    );
    const stored = storedFacts + fresh.size;
    // A repeat changes nothing: whoever is new by it alone stays unknown.
    if (stored < events.length) await dropUnused(client, projectId, created);
    return stored;
  });
}

interface People {
  /** The events with their identities. */
  personal: PersonEvent[];
  /** The identities that nobody had before. */
  created: string[];
}

/** Impressions have no identity, unless they tell of a login. */
async function resolvePeople(
  client: pg.PoolClient,
  projectId: string,
  events: readonly TakenEvent[],
  impressions: readonly TakenEvent[],
): Promise<People> {
  const logins = [...events, ...impressions].filter(({ loginOn }) => loginOn !== null);
  const named = [...events, ...logins];
  if (named.length === 0) return { personal: [], created: [] };
  const { ids, created } = await resolveOrCreate(
    client,
    projectId,
    named.map(({ identifier }) => identifier),
  );
  const identityOf = ({ identifier }: TakenEvent): string => {
    const id = ids.get(identifierKey(identifier));
    if (id === undefined) throw new Error('an identifier was not resolved');
    return id;
  };
  await recordLogins(
    client,
    projectId,
    logins.flatMap((event) =>
      event.loginOn === null ? [] : [{ fingerprint: event.loginOn, identityId: identityOf(event) }],
    ),
  );
  return { personal: events.map((event) => ({ ...event, identityId: identityOf(event) })), created };
}
