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
    last.set(personKey(person), { person, emailHash: emailHash ?? known?.emailHash ?? null, phoneHash: phoneHash ?? known?.phoneHash ?? null });
  }
  if (last.size === 0) return;
  const rows = [...last.values()];
  await client.query({
    name: 'site-contacts-write',
    text: `update site_people p set email_hash = coalesce(c.email, p.email_hash), phone_hash = coalesce(c.phone, p.phone_hash)
             from unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[]) as c (kind, id, email, phone)
            where p.site_id = $1 and p.kind = c.kind and p.person_id = c.id
              and (p.email_hash, p.phone_hash) is distinct from (coalesce(c.email, p.email_hash), coalesce(c.phone, p.phone_hash))`,
    values: [siteId, ...personColumns(rows.map(({ person }) => person)), rows.map(({ emailHash }) => bytesOf(emailHash)), rows.map(({ phoneHash }) => bytesOf(phoneHash))],
  });
}

function bytesOf(hash: string | null): Buffer | null {
  return hash === null ? null : Buffer.from(hash, 'base64url');
}
