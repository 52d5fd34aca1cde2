/** Keyed hashes of e-mail addresses and phone numbers: one of each a person, the one that was told last. */
import type pg from 'pg';
import { personKey } from '../../domain/people/personData.ts';
import { personColumns } from './lock.ts';
import type { Told } from './plan.ts';

/** The caller holds the locks. */
export async function writeContacts(client: pg.PoolClient, siteId: string, told: readonly Told[]): Promise<void> {
  const last = new Map<string, Pick<Told, 'person' | 'emailHash' | 'phoneHash'>>();
  for (const { person, emailHash, phoneHash } of told) {
    if (emailHash === null && phoneHash === null) continue;
    const known = last.get(personKey(person));
    last.set(personKey(person), {
      person,
      emailHash: emailHash ?? known?.emailHash ?? null,
      phoneHash: phoneHash ?? known?.phoneHash ?? null,
    });
  }
  if (last.size === 0) return;
  const rows = [...last.values()];
  await client.query({
    name: 'site-contacts-write',
    // All of them are there: the conflict is how each is found by its key.
    text: `insert into site_people as p (site_id, kind, person_id, email_hash, phone_hash)
           select $1, c.kind, c.id, c.email, c.phone from unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[]) as c (kind, id, email, phone)
           on conflict (site_id, kind, person_id) do update
              set email_hash = coalesce(excluded.email_hash, p.email_hash), phone_hash = coalesce(excluded.phone_hash, p.phone_hash)
            where (p.email_hash, p.phone_hash) is distinct from (coalesce(excluded.email_hash, p.email_hash), coalesce(excluded.phone_hash, p.phone_hash))`,
    values: [
      siteId,
      ...personColumns(rows.map(({ person }) => person)),
      rows.map(({ emailHash }) => bytesOf(emailHash)),
      rows.map(({ phoneHash }) => bytesOf(phoneHash)),
    ],
  });
}

function bytesOf(hash: string | null): Buffer | null {
  return hash === null ? null : Buffer.from(hash, 'base64url');
}
