/** Sites with visitors, and readers of their people's attributes. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { contactHashes } from '../../../domain/people/contactHashes.ts';
import type { Person } from '../../../domain/people/personData.ts';

export interface SiteOptions {
  /** 12 characters; the default is a new id. */
  id?: string;
  fingerprints?: boolean;
  network?: boolean;
  sensitiveTopics?: boolean;
}

/** Adds a site of a new client. */
export async function addSite(
  pool: pg.Pool,
  {
    id = randomUUID().replaceAll('-', '').slice(0, 12),
    fingerprints = false,
    network = false,
    sensitiveTopics = false,
  }: SiteOptions = {},
): Promise<string> {
  await pool.query(
    `with client as (insert into clients (title) values ('t') returning id)
     insert into sites (id, client_id, title, fingerprints, network_enabled, sensitive_topics) select $1, id, 't', $2, $3, $4 from client`,
    [id, fingerprints, network, sensitiveTopics],
  );
  return id;
}

/** Adds a visitor as /collect does. */
export async function addVisitor(pool: pg.Pool, site: string, id: string = randomUUID()): Promise<string> {
  await pool.query('insert into site_visitors (site_id, visitor_id) values ($1, $2)', [site, id]);
  return id;
}

export async function linkOf(pool: pg.Pool, site: string, visitorId: string): Promise<string | null | undefined> {
  const { rows } = await pool.query<{ user_id: string | null }>(
    'select user_id from site_visitors where site_id = $1 and visitor_id = $2',
    [site, visitorId],
  );
  return rows[0]?.user_id;
}

/** Reads the view of one person: `value/source` by attribute, interests as `id*strength/source`. */
export async function audienceOf(pool: pg.Pool, site: string, { kind, id }: Person): Promise<Record<string, string[]>> {
  const { rows } = await pool.query<{ attribute: string; values: string[] }>(
    `select attribute || coalesce(':' || param, '') as attribute, array_agg(value || coalesce('*' || strength, '') || '/' || source order by place, value collate "C") as values
       from site_audience where site_id = $1 and kind = $2 and person_id = $3 group by 1`,
    [site, kind, id],
  );
  return Object.fromEntries(rows.map(({ attribute, values }) => [attribute, values]));
}

export function hashOf(email: string): string {
  return contactHashes(Buffer.alloc(32, 1), { email }).email_hash ?? '';
}

/** For tests that expect the keys of params to be recorded. */
export function failOnLostKeys(error: unknown): never {
  throw error;
}
