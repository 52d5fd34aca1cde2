/** The cabinet's overview of one person: their identifiers and their activity. */
import type { IdentityKind } from '../../domain/people/identity.ts';
import type { Queryable } from '../pool.ts';
import { identitiesOfPerson } from '../identities/identitiesOfPerson.ts';

export interface KnownIdentifier {
  kind: IdentityKind;
  externalId: string;
  /** When it was first seen. */
  since: Date;
}

/**
 * Returns the identifiers that lead to a person: first the one under which the history is stored, then the others, the
 * oldest first.
 */
export async function listIdentifiers(
  db: Queryable,
  projectId: string,
  rootId: string,
  limit: number,
): Promise<KnownIdentifier[]> {
  const { rows } = await db.query<KnownIdentifier>(
    `select i.kind, i.external_id as "externalId", i.created_at as since
       from (${identitiesOfPerson('$2')}) as member join identities i on i.project_id = $1 and i.id = member.id
      where i.dead_at is null order by i.id <> $2, i.created_at, i.id limit $3`,
    [projectId, rootId, limit],
  );
  return rows;
}

/** Returns the fingerprints of devices on which a user was seen, the oldest first. */
export async function listLogins(
  db: Queryable,
  projectId: string,
  rootId: string,
  limit: number,
): Promise<KnownIdentifier[]> {
  const { rows } = await db.query<KnownIdentifier>(
    `select 'fingerprint' as kind, fingerprint::text as "externalId", created_at as since
       from device_logins where project_id = $1 and identity_id = $2 order by created_at, fingerprint limit $3`,
    [projectId, rootId, limit],
  );
  return rows;
}

export interface Activity {
  type: string;
  events: number;
  lastAt: Date;
}

/**
 * Counts a person's events by type, the latest type first. Only the latest events of each identity are counted: a robot
 * has millions, and the index returns the latest ones without reading the others. If an identity has too many states,
 * it is left open which of them are counted.
 * @param maxEvents maximum number of events of an identity and table
 */
export async function countActivity(
  db: Queryable,
  projectId: string,
  identityIds: readonly string[],
  maxEvents: number,
): Promise<Activity[]> {
  const { rows } = await db.query<Activity>(
    `select type, count(*)::float8 as events, max(occurred_at) as "lastAt"
       from (select e.type, e.occurred_at from unnest($2::bigint[]) as member (id) cross join lateral (
               select type, occurred_at from events where project_id = $1 and identity_id = member.id
                order by occurred_at desc limit $3) e
              union all
             select s.type, s.occurred_at from unnest($2::bigint[]) as member (id) cross join lateral (
               select type, occurred_at from event_states where project_id = $1 and identity_id = member.id limit $3) s) as did
      group by type order by "lastAt" desc, type`,
    [projectId, identityIds, maxEvents],
  );
  return rows;
}
