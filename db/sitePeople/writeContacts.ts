/**
 * Keyed hashes of e-mail addresses and phone numbers. Each person has one of each, the last one sent, and beside it the
 * last one that the site's server sent, because the network does not trust a browser everywhere.
 */
import type pg from 'pg';
import { personKey, type Person } from '../../domain/people/personData.ts';
import { personColumns } from './lock.ts';
import type { Told } from './resolveChanges.ts';

interface Contacts {
  person: Person;
  emailHash: string | null;
  phoneHash: string | null;
  serverEmailHash: string | null;
  serverPhoneHash: string | null;
}

/** Writes contacts. The caller holds the locks. */
export async function writeContacts(client: pg.PoolClient, siteId: string, told: readonly Told[]): Promise<void> {
  const rows = lastContacts(told);
  if (rows.length === 0) return;
  await client.query({
    name: 'site-told-contacts-write',
    // All of the rows exist already: `on conflict` is used to find each by its key.
    text: `insert into site_people as p (site_id, kind, person_id, ${COLUMNS.join(', ')})
           select $1, c.* from unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[]) as c
           on conflict (site_id, kind, person_id) do update set ${COLUMNS.map((column) => `${column} = ${merged(column)}`).join(', ')}
            where (${COLUMNS.map((column) => `p.${column}`).join(', ')}) is distinct from (${COLUMNS.map(merged).join(', ')})`,
    values: [
      siteId,
      ...personColumns(rows.map(({ person }) => person)),
      rows.map(({ emailHash }) => bytesOf(emailHash)),
      rows.map(({ phoneHash }) => bytesOf(phoneHash)),
      rows.map(({ serverEmailHash }) => bytesOf(serverEmailHash)),
      rows.map(({ serverPhoneHash }) => bytesOf(serverPhoneHash)),
    ],
  });
}

const COLUMNS = ['email_hash', 'phone_hash', 'server_email_hash', 'server_phone_hash'];
const merged = (column: string): string => `coalesce(excluded.${column}, p.${column})`;

/** Returns, for each person with a contact, the last e-mail address and the last telephone number sent. */
function lastContacts(told: readonly Told[]): Contacts[] {
  const last = new Map<string, Contacts>();
  for (const { person, emailHash, phoneHash, isByServer } of told) {
    if (emailHash === null && phoneHash === null) continue;
    const known = last.get(personKey(person));
    last.set(personKey(person), {
      person,
      emailHash: emailHash ?? known?.emailHash ?? null,
      phoneHash: phoneHash ?? known?.phoneHash ?? null,
      serverEmailHash: (isByServer ? emailHash : null) ?? known?.serverEmailHash ?? null,
      serverPhoneHash: (isByServer ? phoneHash : null) ?? known?.serverPhoneHash ?? null,
    });
  }
  return [...last.values()];
}

function bytesOf(hash: string | null): Buffer | null {
  return hash === null ? null : Buffer.from(hash, 'base64url');
}
