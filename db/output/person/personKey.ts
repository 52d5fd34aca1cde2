/** The key by which a person is assigned to an experiment; it stays, whatever becomes known about the person later. */
import { identifierKey, type Identifier, type IdentityKind } from '../../../domain/people/identity.ts';
import { findPerson } from '../../identities/identities.ts';
import type { Queryable } from '../../pool.ts';

/**
 * Returns the identifier of the person's root, or the first identifier while the person is unknown. If a link has made
 * the user known, it is the identifier of the device, so a visitor who signs up keeps the variant. A device on which a
 * known user signs in later has the identifier of that user.
 * @param identifiers the first one decides; without any the result is null
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
  // Null when the person is being deleted.
  return typeof root?.externalId === 'string'
    ? identifierKey({ kind: root.kind, externalId: root.externalId })
    : identifierKey(identifier);
}
