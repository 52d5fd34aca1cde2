/** The hosts from which the batches of a site's tag arrived, and the outcome of these batches. */
import type pg from 'pg';
import { listedNamesOf } from '../../domain/sites/hosts.ts';
import { inTransaction, type Queryable } from '../pool.ts';

/** `unknown_key`: nobody has the key, and the batch is attributed to a site that lists the host of the page. */
export type SenderOutcome = 'accepted' | 'unlisted_host' | 'revoked_key' | 'unknown_key';

/** Batches that arrived since the last call. */
export interface SenderCount {
  siteId: string;
  outcome: 'accepted' | 'unlisted_host';
  host: string;
  requests: number;
  firstAt: Date;
  lastAt: Date;
}

/** Batches that were refused because of their key, so that their site is unknown. */
export interface RefusedKeyCount {
  host: string;
  /** The part of the key by which people recognise it. */
  prefix: string;
  hash: Buffer;
  requests: number;
  firstAt: Date;
  lastAt: Date;
}

export interface Sender {
  outcome: SenderOutcome;
  host: string;
  key: string;
  requests: number;
  firstAt: Date;
  lastAt: Date;
}

/** Maximum number of hosts per outcome; invented hosts displace only the oldest ones. */
export const SENDERS_PER_OUTCOME = 50;

/** Rows are written in key order, so that two processes do not deadlock. */
const ADD = `
  insert into site_senders as s (site_id, outcome, host, key, requests, first_at, last_at)
  select site_id, outcome, host, key, sum(requests), min(first_at), max(last_at) from recorded group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (site_id, outcome, host, key) do update
    set requests = s.requests + excluded.requests, first_at = least(s.first_at, excluded.first_at),
        last_at = greatest(s.last_at, excluded.last_at)
  returning s.site_id as "siteId"`;

/** Adds the batches to the counts. */
export async function recordSenders(
  pool: pg.Pool,
  senders: readonly SenderCount[],
  keys: readonly RefusedKeyCount[],
): Promise<void> {
  if (senders.length + keys.length === 0) return;
  await inTransaction(pool, async (client) => {
    const sites = [...(await addSenders(client, senders)), ...(await addKeys(client, keys))];
    await keepNewest(client, [...new Set(sites)]);
  });
}

async function addSenders(db: Queryable, senders: readonly SenderCount[]): Promise<string[]> {
  if (senders.length === 0) return [];
  const { rows } = await db.query<{ siteId: string }>({
    name: 'site-senders-add',
    text: `with recorded as (
             select site_id, outcome, host collate "C" as host, ''::text collate "C" as key, requests, first_at, last_at
               from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[])
                 n (site_id, outcome, host, requests, first_at, last_at))
           ${ADD}`,
    values: [
      senders.map(({ siteId }) => siteId),
      senders.map(({ outcome }) => outcome),
      senders.map(({ host }) => host),
      senders.map(({ requests }) => requests),
      senders.map(({ firstAt }) => firstAt),
      senders.map(({ lastAt }) => lastAt),
    ],
  });
  return rows.map(({ siteId }) => siteId);
}

/** A revoked key names its site; for any other key the host does. A site that lists every host gets none of those. */
async function addKeys(db: Queryable, keys: readonly RefusedKeyCount[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<{ siteId: string }>({
    name: 'site-senders-add-keys',
    text: `with recorded as (
             select s.id as site_id, case when k.site_id is null then 'unknown_key' else 'revoked_key' end as outcome,
                    n.host collate "C" as host, n.prefix collate "C" as key, n.requests, n.first_at, n.last_at
               from json_to_recordset($1) n (host text, names text[], prefix text, hash text, requests bigint, first_at timestamptz, last_at timestamptz)
               left join site_keys k on k.hash = decode(n.hash, 'base64')
               join sites s on s.id = k.site_id or (k.site_id is null and s.hosts && n.names)
              where s.state = 'active')
           ${ADD}`,
    values: [
      JSON.stringify(
        keys.map(({ host, prefix, hash, requests, firstAt, lastAt }) => ({
          host,
          names: listedNamesOf(host),
          prefix,
          hash: hash.toString('base64'),
          requests,
          first_at: firstAt,
          last_at: lastAt,
        })),
      ),
    ],
  });
  return rows.map(({ siteId }) => siteId);
}

/** Leaves out hosts from which another process records a batch at this moment: they are not among the oldest ones. */
async function keepNewest(db: Queryable, sites: readonly string[]): Promise<void> {
  await db.query({
    name: 'site-senders-keep',
    text: `delete from site_senders where ctid = any(array(
             select s.ctid from (
               select site_id, outcome, host, key, last_at, row_number() over (partition by site_id, outcome order by last_at desc, host, key) as ordinal
                 from site_senders where site_id = any($1)) p
              cross join lateral (
                select ctid from site_senders o
                 where o.site_id = p.site_id and o.outcome = p.outcome and o.host = p.host and o.key = p.key and o.last_at = p.last_at
                   for update skip locked) s
              where p.ordinal > $2))`,
    values: [sites, SENDERS_PER_OUTCOME],
  });
}

/** Returns the hosts of a site, the last ones first: at most {@link SENDERS_PER_OUTCOME} for each outcome. */
export async function listSenders(db: Queryable, siteId: string): Promise<Sender[]> {
  const { rows } = await db.query<Sender>({
    name: 'site-senders-list',
    text: `select outcome, host, key, requests::float8 as requests, least(first_at, last_at) as "firstAt", last_at as "lastAt"
             from site_senders where site_id = $1 order by last_at desc, host, key`,
    values: [siteId],
  });
  return rows;
}
