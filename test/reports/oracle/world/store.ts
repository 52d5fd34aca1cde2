/** Stores a world as the product would: people and unfinished data in PostgreSQL, the rest in the lake. */
import type pg from 'pg';
import { nextBatchId, stageRows } from '../../../../db/lake/batches.ts';
import { inTransaction } from '../../../../db/pool.ts';
import type { VisitRow } from '../../../../domain/reports/lakeRows.ts';
import { shardOf } from '../../../../domain/collect/shards.ts';
import { NEW_VISIT_MEMO, packVisit } from '../../../../domain/visits/visitState.ts';
import { commitStaged } from '../../../../reports/lake/commit/commitStaged.ts';
import type { Lake } from '../../../../reports/lake/index.ts';
import { hashOf } from '../../../support/people/sitePeople.ts';
import type { Place, RandomWorld } from './worlds.ts';

/** Stores everything in its place. */
export async function storeWorld(pool: pg.Pool, lake: Lake, random: RandomWorld): Promise<void> {
  await storeSites(pool, random);
  await storePeople(pool, random);
  const sites = [random.site.siteId, random.otherSiteId];
  for (const siteId of sites) await settleRows(pool, lake, random, siteId);
  // Last, because staged rows go into the lake with the next commit.
  for (const siteId of sites) await storeUnsettled(pool, random, siteId);
}

async function storeSites(pool: pg.Pool, { site, otherSiteId }: RandomWorld): Promise<void> {
  await pool.query(
    `with client as (insert into clients (title) values ('t') returning id)
     insert into sites (id, client_id, title, network_enabled) select unnest($1::text[]), id, 't', true from client`,
    [[site.siteId, otherSiteId]],
  );
}

async function storePeople(pool: pg.Pool, { visitors, people, world }: RandomWorld): Promise<void> {
  await insert(
    pool,
    'site_visitors (site_id text, visitor_id uuid, user_id text)',
    visitors.map(({ siteId, visitorId, userId }) => ({ site_id: siteId, visitor_id: visitorId, user_id: userId })),
  );
  // Every visitor whose row names a user was linked to the user at that time.
  const ever = [...world.visits, ...world.conversions, ...world.orders].filter(
    ({ visitor_id, user_id }) => visitor_id !== null && user_id !== null,
  );
  await insert(pool, 'site_visitor_users (site_id text, visitor_id uuid, user_id text)', [
    ...new Map(
      ever.map(({ site_id, visitor_id, user_id }) => [
        `${site_id} ${visitor_id} ${user_id}`,
        { site_id, visitor_id, user_id },
      ]),
    ).values(),
  ]);
  await insert(
    pool,
    'site_people (site_id text, kind text, person_id text, email_hash bytea)',
    people.map(({ siteId, person, email }) => ({
      site_id: siteId,
      kind: person.kind,
      person_id: person.id,
      email_hash: email === null ? null : `\\x${Buffer.from(hashOf(email), 'base64').toString('hex')}`,
    })),
  );
  const told = people.flatMap((one) => one.told);
  const rows = told.map(({ siteId, person, source, field, attribute, place, param, value, json, born }) => ({
    site_id: siteId,
    kind: person.kind,
    person_id: person.id,
    source,
    field,
    attribute,
    place,
    param,
    value,
    json,
    born,
    at: '2026-01-01T00:00:00Z',
    is_topic: true,
    interest: value,
    strength: 1,
  }));
  await insert(
    pool,
    'site_person_values (site_id text, kind text, person_id text, source text, field text, attribute text, place smallint, param text, value text, json jsonb, born date, at timestamptz)',
    rows.filter(({ field }) => field !== 'interests'),
  );
  await insert(
    pool,
    'site_person_interests (site_id text, kind text, person_id text, source text, is_topic boolean, interest text, strength integer, at timestamptz)',
    rows.filter(({ field }) => field === 'interests'),
  );
}

/** @param target the table with columns and their types */
async function insert(pool: pg.Pool, target: string, rows: readonly object[]): Promise<void> {
  const [, table, columns = ''] = /^(\w+) \((.*)\)$/.exec(target) ?? [];
  const names = columns
    .split(', ')
    .map((column) => column.split(' ')[0])
    .join(', ');
  await pool.query(`insert into ${table} (${names}) select ${names} from json_to_recordset($1) as r (${columns})`, [
    JSON.stringify(rows),
  ]);
}

const ownOf =
  (siteId: string) =>
  <Row extends { site_id: string }>(rows: readonly Row[]): Row[] =>
    rows.filter(({ site_id }) => site_id === siteId);

function visitsIn({ world, places }: RandomWorld, siteId: string, ...wanted: Place[]): VisitRow[] {
  return ownOf(siteId)(world.visits).filter(({ visit_id }) => wanted.some((place) => place === places.get(visit_id)));
}

async function settleRows(pool: pg.Pool, lake: Lake, random: RandomWorld, siteId: string): Promise<void> {
  const { world, older } = random;
  const own = ownOf(siteId);
  const settled = visitsIn(random, siteId, 'lake');
  const batch = await stage(pool, siteId, {
    visits: [...settled, ...own(older)],
    hits: own(world.hits),
    conversions: own(world.conversions),
    orders: own(world.orders),
    order_lines: own(world.order_lines),
  });
  await commitStaged(lake, pool, [shardOf(siteId)]);
  await insertVisits(pool, settled, batch);
}

async function storeUnsettled(pool: pg.Pool, random: RandomWorld, siteId: string): Promise<void> {
  const staged = visitsIn(random, siteId, 'staged', 'changed and staged');
  await insertVisits(pool, staged, await stage(pool, siteId, { visits: staged }));
  await insertVisits(pool, visitsIn(random, siteId, 'open', 'changed'), null);
  await insertVisits(pool, ownOf(siteId)(random.setAside), '-1');
}

function stage(pool: pg.Pool, siteId: string, rows: Parameters<typeof stageRows>[3]): Promise<string> {
  return inTransaction(pool, async (client) => {
    const batchId = await nextBatchId(client);
    await stageRows(client, shardOf(siteId), batchId, rows);
    return batchId;
  });
}

/** Inserts visits. The state does not include goals, which have a separate column. */
async function insertVisits(pool: pg.Pool, visits: readonly VisitRow[], batch: string | null): Promise<void> {
  const rows = visits.map((row) => ({
    site_id: row.site_id,
    visitor_id: row.visitor_id,
    visit_id: row.visit_id,
    shard: shardOf(row.site_id),
    started_at: new Date(row.started_at),
    last_hit_at: new Date(row.ended_at),
    goals: row.goals,
    lake_batch: batch,
    state: JSON.parse(
      packVisit({
        row: { ...row, goals: 0, is_bounce: row.pageviews <= 1 && row.duration_s < 15 },
        memo: NEW_VISIT_MEMO,
        isChanged: false,
      }),
    ) as object,
  }));
  await insert(
    pool,
    'site_visits (site_id text, visitor_id uuid, visit_id uuid, shard smallint, started_at timestamptz, last_hit_at timestamptz, goals integer, lake_batch bigint, state json)',
    rows,
  );
}
