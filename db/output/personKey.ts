/** What stays with a person who is drawn into an experiment, whatever becomes known of them later. */
import { identifierKey, type Identifier, type IdentityKind } from '../../domain/identity.ts';
import { findPerson } from '../identities.ts';
import type { Queryable } from '../pool.ts';

/**
 * The identifier of the person's root, which is also the one that decides while nobody knows them yet. For a user whom a
 * link has made known it is that of the device: a visitor who signs up keeps the variant. A device on which somebody
 * signs in later has that of its user.
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
    name: 'output-person-key',
    text: `select coalesce(d.kind, i.kind) as kind, coalesce(d.external_id, i.external_id) as "externalId"
             from identities i left join identities d on d.project_id = i.project_id and d.id = i.drawn_as
            where i.project_id = $1 and i.id = $2`,
    values: [projectId, rootId],
  });
  const [root] = rows;
  // Null when the person is deleted at this moment.
  return typeof root?.externalId === 'string'
    ? identifierKey({ kind: root.kind, externalId: root.externalId })
    : identifierKey(identifier);
}
