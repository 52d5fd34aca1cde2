/** Stores the events of one request, each in the mode of its type, in one transaction. */
import type pg from 'pg';
import { STATE_ID_DAYS } from '../../domain/events/rememberedIds.ts';
import type { PersonEvent } from '../../domain/events/countingEvents.ts';
import type { ValidEvent } from '../../domain/events/validateEvents.ts';
import { identifierKey } from '../../domain/people/identity.ts';
import { deleteUnused, recordLogins, resolveOrCreate } from '../identities/identities.ts';
import { inTransaction } from '../pool.ts';
import { storeFacts } from './facts.ts';
import { addImpressions } from './impressions.ts';
import { rememberIds, withNewIds } from './rememberedIds.ts';
import { updateStates } from './states.ts';
import { dropWithinWindows } from './windows.ts';

export interface StoreOptions {
  projectId: string;
  /** Number of days for which the ids of impressions are remembered. */
  impressionIdDays: number;
}

/**
 * Stores accepted events. Every request goes through the tables in the same order and through each table in key order,
 * so requests wait for each other but never deadlock.
 * @returns how many were new; the others repeat an id or fall within a window and changed nothing
 */
export async function storeEvents(
  pool: pg.Pool,
  events: readonly ValidEvent[],
  { projectId, impressionIdDays }: StoreOptions,
): Promise<number> {
  if (events.length === 0) return 0;
  const impressions = events.filter(({ type }) => type.is_impression);
  const others = events.filter(({ type }) => !type.is_impression);
  return inTransaction(pool, async (client) => {
    const { personal, created } = await resolvePeople(client, projectId, others, impressions);
    const sentFacts = personal.filter(({ type }) => type.mode === 'fact');
    const facts = await dropWithinWindows(client, projectId, sentFacts);
    const states = personal.filter(({ type }) => type.mode !== 'fact');
    const fresh = new Set<ValidEvent>(
      await rememberIds<ValidEvent>(client, projectId, [
        ...states.map((event) => ({ event, days: STATE_ID_DAYS })),
        ...impressions.map((event) => ({ event, days: impressionIdDays })),
        // Once the person of the fact that opened a window is deleted, a repeat no longer finds the window.
        ...without(sentFacts, facts).map((event) => ({ event, days: STATE_ID_DAYS })),
      ]),
    );
    const freshStates = states.filter((event) => fresh.has(event));
    const freshImpressions = impressions.filter((event) => fresh.has(event));
    const storedFacts = await storeFacts(client, projectId, facts);
    await updateStates(client, projectId, freshStates);
    await addImpressions(client, projectId, freshImpressions);
    const stored = storedFacts + freshStates.length + freshImpressions.length;
    // A repeat changes nothing: a person known only from a repeat stays unknown.
    if (stored < events.length) await deleteUnused(client, projectId, created);
    return stored;
  });
}

function without<Event>(all: readonly Event[], some: readonly Event[]): Event[] {
  if (some.length === all.length) return [];
  const left = new Set(some);
  return all.filter((event) => !left.has(event));
}

interface People {
  /** The events with their identities. */
  personal: PersonEvent[];
  /** The identities that did not exist before. */
  created: string[];
}

/**
 * Resolves the people of events. Impressions have no identity, unless they report a login. A repeated event reports no
 * login, because its person may have been deleted.
 */
async function resolvePeople(
  client: pg.PoolClient,
  projectId: string,
  events: readonly ValidEvent[],
  impressions: readonly ValidEvent[],
): Promise<People> {
  const logins = [...events, ...impressions].filter(({ loginOn }) => loginOn !== null);
  const named = [...events, ...logins];
  if (named.length === 0) return { personal: [], created: [] };
  const { ids, created } = await resolveOrCreate(
    client,
    projectId,
    named.map(({ identifier }) => identifier),
  );
  const identityOf = ({ identifier }: ValidEvent): string => {
    const id = ids.get(identifierKey(identifier));
    if (id === undefined) throw new Error('an identifier was not resolved');
    return id;
  };
  await recordLogins(
    client,
    projectId,
    (await withNewIds(client, projectId, logins)).flatMap((event) =>
      event.loginOn === null ? [] : [{ fingerprint: event.loginOn, identityId: identityOf(event) }],
    ),
  );
  return { personal: events.map((event) => ({ ...event, identityId: identityOf(event) })), created };
}
