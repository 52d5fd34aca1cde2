/** The known people of a project, for the ledger of deletions, which identifies people only by hashes. */
import type { IdentityKind } from '../../domain/people/identity.ts';
import type { Queryable } from '../pool.ts';

export interface KnownIdentity {
  /** Decimal. */
  id: string;
  kind: IdentityKind;
  externalId: string;
  /** PostgreSQL text, with its microseconds. */
  since: string;
}

/** Returns a page of living identities, by id; `after` is the last id of the previous page, '0' at first. */
export async function listKnownIdentities(
  db: Queryable,
  projectId: string,
  after: string,
  limit: number,
): Promise<KnownIdentity[]> {
  const { rows } = await db.query<KnownIdentity>(
    `select id, kind, external_id as "externalId", created_at::text as since from identities
      where project_id = $1 and id > $2 and dead_at is null order by id limit $3`,
    [projectId, after, limit],
  );
  return rows;
}
