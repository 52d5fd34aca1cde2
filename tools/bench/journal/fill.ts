/**
 * Fills a journal as thirty days of traffic leave it: rows in order of time, with webhooks of very different sizes
 * mixed.
 */
import { MAX_ATTEMPTS } from '../../../domain/webhooks/retrySchedule.ts';
import type { BenchDatabase } from '../intake/database.ts';

/** A single connection, because the filling is one transaction. */
type FillTarget = Pick<BenchDatabase, 'query'>;

/** Shares of the rows, largest first; the first has six million of ten. */
const SHARES = [60, 12, 8, 5, 4, 3, 2, 1.5, 1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.06, 0.04];
const WEBHOOKS_PER_PROJECT = 4;
/** More webhooks, each with the maximum number of undelivered events and nothing else. */
const BACKLOGS = { webhooks: 20, firstId: 101, rows: 50_000 };
/** Days that the rows span; rows older than thirty days are due for removal. */
const SPAN_DAYS = 30.3;
/** One in sixty of the largest webhook's rows belongs to one item: 100,000 of six million. */
const POPULAR = 1 / 60;

/** Webhooks by the character of their journal. */
export const WEBHOOKS = {
  largest: 1,
  /** Has no `item.failed`. */
  withoutFailedItems: 2,
  /** All of its failures happened on the first of the thirty days. */
  oldFailures: 3,
  /** It was disabled for the last fifth of the time, so everything was dropped. */
  disabledLately: 4,
  /** It failed for the last fifth of the time, so nothing was delivered. */
  failingLately: 5,
  smallest: SHARES.length,
} as const;

export const projectOf = (webhook: number): string =>
  `journal${String(Math.ceil(webhook / WEBHOOKS_PER_PROJECT)).padStart(5, '0')}`;
export const webhookIdOf = (webhook: number): string => `00000000-0000-7000-8000-${String(webhook).padStart(12, '0')}`;

/**
 * Fills an empty, migrated database with `rows` deliveries and their attempts. The indexes are built afterwards, and
 * both tables are filled in the transaction that truncates them, which with `wal_level=minimal` logs nothing: the
 * benchmark measures the final state, not the way there.
 */
export async function fillJournal(database: FillTarget, rows: number, withBacklogs = false): Promise<void> {
  await addWebhooks(database);
  const indexes = await dropIndexes(database);
  await database.query('begin');
  await database.query('truncate deliveries, delivery_attempts');
  await database.query(`select setseed(0.5)`);
  await database.query(DELIVERIES, [rows, cumulated(), POPULAR, SPAN_DAYS]);
  await database.query(ATTEMPTS);
  if (withBacklogs) await database.query(BACKLOG, [BACKLOGS.rows]);
  await database.query('commit');
  for (const definition of indexes) await database.query(definition);
  await database.query('vacuum (analyze) deliveries, delivery_attempts');
}

async function addWebhooks(database: FillTarget): Promise<void> {
  await database.query(
    `
    with client as (insert into clients (title) values ('a client') returning id)
    insert into projects (id, client_id, title)
    select 'journal' || lpad(n::text, 5, '0'), id, 'a project' from client, generate_series(1, $1::int) n`,
    [Math.ceil((BACKLOGS.firstId + BACKLOGS.webhooks) / WEBHOOKS_PER_PROJECT)],
  );
  const numbers = [
    ...SHARES.map((_, index) => index + 1),
    ...Array.from({ length: BACKLOGS.webhooks }, (_, index) => BACKLOGS.firstId + index),
  ];
  await database.query(
    `insert into webhooks (project_id, id, url, events, secret)
     select project_id, id, 'https://receiver.test/', '{item.processed,item.failed}', '' from unnest($1::text[], $2::uuid[]) w (project_id, id)`,
    [numbers.map(projectOf), numbers.map(webhookIdOf)],
  );
}

/**
 * Drops the keys and indexes of both tables.
 * @returns statements that restore them: first the primary keys, then the foreign keys that need them, then the other
 * indexes. The foreign keys are not validated, because the rows satisfy them.
 */
async function dropIndexes(database: FillTarget): Promise<string[]> {
  const constraints = await database.query<{ name: string; table: string; definition: string; checked: string }>(`
    select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition,
           case when contype = 'f' then ' not valid' else '' end as checked from pg_constraint
     where conrelid in ('deliveries'::regclass, 'delivery_attempts'::regclass) and contype in ('p', 'f') order by contype`);
  const indexes = await database.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in ('deliveries'::regclass, 'delivery_attempts'::regclass) and not indisprimary`);
  for (const { name, table } of constraints) await database.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  const keys = constraints
    .toReversed()
    .map(
      ({ name, table, definition, checked }) => `alter table ${table} add constraint ${name} ${definition}${checked}`,
    );
  return [...keys, ...indexes.map(({ definition }) => definition)];
}

/** Returns the upper bounds of the webhooks' shares, from 0 to 1. */
function cumulated(): number[] {
  const sum = SHARES.reduce((a, b) => a + b, 0);
  let bound = 0;
  return SHARES.slice(0, -1).map((share) => (bound += share / sum));
}

/**
 * Most webhooks have 97 % delivered, 2.5 % failed and 0.4 % dropped; some of the last half hour are pending. Ids are
 * UUIDv7 of their time.
 */
const DELIVERIES = `
  insert into deliveries (project_id, id, webhook_id, event, item_id, item, status, lane, attempt, next_attempt_at,
                          response_status, error_code, error, created_at, updated_at)
  with item as materialized (
    select k, jsonb_build_object('id', 'item-' || k, 'status', 'ready',
             'processing', jsonb_build_object('prepare', 'done', 'speech', 'done', 'vision', 'skipped', 'summary', 'done', 'embedding', 'done'),
             'summary', jsonb_build_object('summary', (select string_agg(substr(md5(k::text || w), 1, 7), ' ') from generate_series(1, 33) w),
               'topics', jsonb_build_array('topic ' || k % 7, 'another topic'), 'tags', jsonb_build_array('tag', 'tag ' || k, 'third'),
               'age_rating', '12+', 'moderation', jsonb_build_object('level', 'none'))) as item
      from generate_series(0, 63) k
  ), drawn as (
    select n, n / $1::float8 as age, 1 + width_bucket(random(), $2::float8[]) as webhook, random() as of_item, random() as of_event, random() as of_status
      from generate_series(1, $1::int) n
  ), placed as (
    select *, now() - $4::float8 * (1 - age) * interval '1 day' as at,
           case when webhook <> 2 and of_event < 0.03 then 'item.failed' when of_event > 0.9999 then 'webhook.test' else 'item.processed' end as event,
           case when age > 0.9993 and of_status < 0.2 then 'pending'
                when webhook = 4 and age > 0.8 then 'dropped'
                when webhook = 5 and age > 0.8 then 'failed'
                when webhook = 3 then case when age < 0.033 and of_status < 0.5 then 'failed' else 'delivered' end
                when of_status < 0.971 then 'delivered' when of_status < 0.996 then 'failed' else 'dropped' end as status
      from drawn
  )
  select 'journal' || lpad(((webhook + 3) / 4)::text, 5, '0'),
         (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex(n::bigint * 7919), 15, '0'))::uuid,
         ('00000000-0000-7000-8000-' || lpad(webhook::text, 12, '0'))::uuid, event,
         case when n = 1 then 'once' when webhook = 1 and of_item < $3 then 'popular' else 'item-' || floor(of_item * of_item * 1000000) end,
         i.item, status, case when status = 'pending' then case when n % 2 = 0 then 'first' else 'retry' end end,
         case status when 'delivered' then case when n % 20 = 0 then 2 else 1 end when 'failed' then ${MAX_ATTEMPTS} when 'dropped' then 0 else n % 2 end,
         case when status = 'pending' and n % 2 = 1 then now() + interval '5 minutes' end,
         case when status = 'delivered' then 200 when status = 'failed' and n % 3 = 0 then 500 end,
         case when status = 'failed' then case when n % 3 = 0 then 'http_status' when n % 3 = 1 then 'timeout' else 'connection' end end,
         case when status = 'failed' then 'no complete answer in time' when status = 'dropped' then 'the webhook is disabled' end,
         at, at + interval '80 milliseconds'
    from placed join item i on i.k = n % 64`;

const ATTEMPTS = `
  insert into delivery_attempts (project_id, delivery_id, attempt, started_at, duration_ms, response_status, error_code, error)
  select d.project_id, d.id, a, d.created_at + a * interval '5 minutes', 60, d.response_status, d.error_code, d.error
    from deliveries d, generate_series(1, d.attempt) a`;

const BACKLOG = `
  insert into deliveries (project_id, webhook_id, event, item_id, item)
  select w.project_id, w.id, 'item.processed', 'item-' || n, i.item
    from generate_series(1, $1::int) n, webhooks w, (select item from deliveries limit 1) i
   where w.id >= '${webhookIdOf(BACKLOGS.firstId)}'`;
