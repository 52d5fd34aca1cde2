/** What stays with a person who is drawn into an experiment, whatever becomes known of them later. */
import { identifierKey, type Identifier, type IdentityKind } from '../../domain/identity.ts';
import { findPerson } from '../identities.ts';
import { MEMBERS } from '../people/members.ts';
import type { Queryable } from '../pool.ts';

/**
 * The oldest of the identifiers that belong to the person, and of somebody unknown the one that decides: it is the oldest
 * one as soon as an event makes them known. So a visitor who signs up keeps the variant of the device, and a device that
 * somebody signs in on later has theirs.
 * @param identifiers the one that decides first; null is the answer to none
 */
export async function readPersonKey(
  pool: Queryable,
  projectId: string,
  [identifier]: readonly Identifier[],
): Promise<string | null> {
  if (!identifier) return null;
  const rootId = await findPerson(pool, projectId, identifier);
  if (rootId === null) return identifierKey(identifier);
  const { rows } = await pool.query<{ kind: IdentityKind; externalId: string | null }>({
    name: 'output-oldest-identifier',
    text: `select i.kind, i.external_id as "externalId" from (${MEMBERS}) as member
             join identities i on i.project_id = $1 and i.id = member.id
            where member.dead_at is null order by member.id limit 1`,
    values: [projectId, rootId],
  });
  const [oldest] = rows;
  return typeof oldest?.externalId === 'string'
    ? identifierKey({ kind: oldest.kind, externalId: oldest.externalId })
    : identifierKey(identifier);
}
