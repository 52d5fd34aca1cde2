/**
 * Each process of a stack is killed under load: accepted work is still done, exactly once. Then the database is
 * damaged, to show that the checker would have noticed. `npm run chaos` runs all faults, and for longer.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { check } from '../../tools/chaos/check/check.ts';
import { untilQuiet } from '../../tools/chaos/check/quiet.ts';
import { kills } from '../../tools/chaos/faults/kills.ts';
import { temporalUnreachable } from '../../tools/chaos/faults/temporalUnreachable.ts';
import { runBriefly } from '../../tools/chaos/runFault.ts';
import { openStage, type FullStage } from '../../tools/chaos/stage/stage.ts';
import { linesWith, serviceLogs, strayProcesses, workFolders } from '../support/whole/traces.ts';
import { until } from '../support/whole/until.ts';

/** Only a run that hangs takes this long. */
const RUN_MS = 1_800_000;
/** A seed with every kind of item, person and visitor among the first ten: a fast machine gets through few more. */
const SEED = 2648;

interface Damage {
  what: string;
  sql: string;
  found: RegExp;
}

const FIRST_FACT = `select id from events where project_id = $1 and id like 'e-%' order by id limit 1`;
const FIRST_LINE = `select id from events where project_id = $1 and id like 'o:%' order by id limit 1`;

const LAST_LINE = `select id from events where project_id = $1 and id like 'o:%' order by id desc limit 1`;

/** Each kind of damage that a fault might cause. Each affects rows that no other one touches. */
const DAMAGES: readonly Damage[] = [
  {
    what: 'an event is gone',
    sql: `delete from events where project_id = $1 and id = (${FIRST_FACT})`,
    found: /^lost: event e-\S+ is not there$/,
  },
  {
    what: 'an event is there twice, under another id',
    sql: `insert into events (project_id, id, identity_id, item_id, type, occurred_at)
          select project_id, 'again', identity_id, item_id, type, occurred_at from events where project_id = $1 and id = (${FIRST_FACT})`,
    found: /^doubled: event again is there and should not be$/,
  },
  {
    what: 'a line of an order is there twice',
    sql: `insert into events (project_id, id, identity_id, item_id, type, value, occurred_at, order_id, quantity, price)
          select project_id, 'o:' || repeat('0', 32), identity_id, item_id, type, value, occurred_at, order_id, quantity, price from events where project_id = $1 and id = (${FIRST_LINE})`,
    found: /^doubled: line o:0{32} of order order-\S+ is there and should not be$/,
  },
  {
    what: 'a line of an order has another quantity',
    sql: `update events set quantity = quantity + 1 where project_id = $1 and id = (${LAST_LINE})`,
    found: /^lost: line \S+ of order order-\S+ is \{/,
  },
  {
    what: 'an order was changed once too often',
    sql: `update orders set revision = revision + 1, expanded_revision = expanded_revision + 1 where project_id = $1 and order_id = (select min(order_id) from orders)`,
    found: /^doubled: order order-\S+ was changed 1 times too often$/,
  },
  {
    what: 'an impression is counted twice',
    sql: `update impression_counts set count = count + 1 where ctid = (select ctid from impression_counts where project_id = $1 limit 1)`,
    found: /^doubled: 1 impressions of /,
  },
  {
    what: 'a state shows an older value',
    sql: `update event_states set occurred_at = occurred_at - interval '1 second' where ctid = (select ctid from event_states where project_id = $1 and type = 'favourite' limit 1)`,
    found: /^lost: state /,
  },
  {
    what: 'an item has an older text',
    sql: `update items set body = 'older' where project_id = $1 and id = 'base-1'`,
    found: /^lost: item base-1 does not have the accepted body$/,
  },
  {
    what: 'an item is not final',
    sql: `update items set status = 'processing' where project_id = $1 and id = 'base-2'`,
    found: /^unfinished: item base-2 is processing$/,
  },
  {
    what: 'a deleted item is back',
    sql: `update items set deleted = false where ctid = (select ctid from items where project_id = $1 and deleted limit 1)`,
    found: /^lost: item \S+: deleted is false/,
  },
  {
    what: 'a unit is counted twice',
    sql: `update analysis_volume set used = used + 1 where project_id = $1`,
    found: /^doubled: 1 units of main/,
  },
  {
    what: 'an event of an item was never made',
    sql: `delete from deliveries where ctid = (select ctid from deliveries where project_id = $1 and item_id = 'base-3' limit 1)`,
    found: /^lost: 1 events of base-3$/,
  },
  {
    what: 'an event of an item was made twice, and never sent',
    sql: `insert into deliveries (project_id, webhook_id, event, item_id, item, status, lane)
          select project_id, webhook_id, event, item_id, item, 'delivered', null from deliveries where project_id = $1 and item_id = 'base-4' limit 1`,
    found: /^doubled: 1 events of base-4 too many$/,
  },
  {
    what: 'a webhook is still to be sent',
    sql: `update deliveries set status = 'pending', lane = 'retry', next_attempt_at = now() - interval '1 minute' where ctid = (select ctid from deliveries where project_id = $1 and item_id = 'base-5' limit 1)`,
    found: /^undelivered: delivery \S+ of base-5 is pending in the lane retry$/,
  },
  {
    what: 'a retry has no workflow',
    sql: `update deliveries set status = 'pending', lane = 'retry', next_attempt_at = now() + interval '1 hour' where ctid = (select ctid from deliveries where project_id = $1 and item_id = 'base-6' limit 1)`,
    found: /^unfinished: delivery\/\S+ waits and has no workflow$/,
  },
  {
    what: 'a device has lost its user',
    sql: `update identities set merged_into = null where ctid = (select ctid from identities where project_id = $1 and merged_into is not null and dead_at is null limit 1)`,
    found: /^lost: device d-\S+ is not linked to /,
  },
  {
    what: 'events of a deleted user are counted twice',
    sql: `update item_event_totals set events = events + 1 where ctid = (select ctid from item_event_totals where project_id = $1 limit 1)`,
    found: /^doubled: 1 of the total /,
  },
  {
    what: 'a conversion of the site is gone',
    sql: `delete from site_conversions where id = (select min(id) from site_conversions)`,
    found: /^lost: conversion c-\S+ is not there$/,
  },
  {
    what: 'a conversion of the site has lost its visit',
    sql: `update site_conversions set attribution = 'none', visit_id = null where id = (select max(id) from site_conversions)`,
    found: /^lost: conversion c-\S+ is \{/,
  },
  {
    what: 'an order of the site is there twice, under another id',
    sql: `insert into site_orders (site_id, transaction_id, status, origin, visitor_id, occurred_at, revenue, attribution, shard, lake_batch)
          select site_id, 'again', status, origin, visitor_id, occurred_at, revenue, 'none', shard, lake_batch from site_orders order by transaction_id limit 1`,
    found: /^doubled: site order again purchased is there and should not be$/,
  },
  {
    what: 'a training has failed',
    sql: `update output_models set state = 'failed', reason = 'internal' where id = (select id from output_models where request_id is not null order by id limit 1)`,
    found: /^lost: training \S+ failed: internal$/,
  },
  {
    what: 'a job is left over',
    sql: `insert into jobs (project_id, kind, entity_id, priority) values ($1, 'orders', gen_random_uuid()::text, 3)`,
    found: /^unfinished: 1 jobs had not come to rest$/,
  },
];

/** The same for the lake. */
const LAKE_DAMAGES: readonly Damage[] = [
  {
    what: 'a hit is in the lake twice',
    sql: 'insert into lake.hits select * from lake.hits limit 1',
    found: /^doubled: 1 hits of \S+ too many in the lake$/,
  },
  {
    what: 'a visit is gone from the lake',
    sql: 'delete from lake.visits where visit_id = (select min(visit_id) from lake.visits)',
    found: /^lost: 1 visits of \S+ are not in the lake$/,
  },
  {
    what: 'a refund is gone from the lake',
    sql: `delete from lake.orders where status = 'refunded' and transaction_id = (select min(transaction_id) from lake.orders where status = 'refunded')`,
    found: /^lost: 1 orders of \S+ refunded are not in the lake$/,
  },
  {
    what: 'the lines of an order are in the lake twice',
    sql: `insert into lake.order_lines select * from lake.order_lines where status = 'purchased' and transaction_id = (select min(transaction_id) from lake.order_lines where status = 'purchased')`,
    found: /^doubled: 2 order lines of \S+ too many in the lake$/,
  },
];

describe('a stack whose processes are killed under load', () => {
  let stage: FullStage;
  const over = new AbortController();
  const lines: string[] = [];

  beforeAll(async () => {
    stage = await openStage({
      seed: SEED,
      brief: true,
      signal: over.signal,
      log: (line) => lines.push(line),
      env: { LOG_LEVEL: 'debug' },
    });
  });

  afterAll(async () => {
    over.abort();
    await stage?.close(false);
  });

  // proves: webhook-request/delivery_id, errors/retry-5xx, analytics-errors/retry-3
  it(
    'loses nothing, duplicates nothing, finishes every item and delivers every webhook',
    async () => {
      const limit = setTimeout(() => over.abort(new Error(`not over in time:\n${lines.join('\n')}`)), RUN_MS - 20_000);
      const { fault, lost, doubled, unfinished, undelivered, findings, accepted, unsure, notes, compared } =
        await runBriefly(stage, [...kills, temporalUnreachable]);
      clearTimeout(limit);
      expect({ fault, findings, lost, doubled, unfinished, undelivered }).toEqual({
        fault: null,
        findings: [],
        lost: 0,
        doubled: 0,
        unfinished: 0,
        undelivered: 0,
      });
      // Both the faults and the comparison had data to work on.
      expect(accepted).toBeGreaterThan(100);
      expect(unsure).toBeGreaterThan(0);
      expect(notes['requests under way at the kills']).toBeGreaterThan(0);
      expect(notes['decoders at work at the kills']).toBeGreaterThan(0);
      for (const what of [
        'items',
        'facts',
        'states',
        'impressions',
        'orders',
        'order lines',
        'people',
        'conversions',
        'site orders',
        'hits of the lake',
        'visits of the lake',
        'orders of the lake',
        'order lines of the lake',
        'webhooks',
        'receipts',
        'units',
        'items by the API',
      ]) {
        expect({ what, count: compared[what] }).toEqual({ what, count: expect.any(Number) });
        expect(compared[what]).toBeGreaterThan(0);
      }
    },
    RUN_MS,
  );

  it('leaves no work behind: no folder, no decoder', async () => {
    expect(
      await until(
        'the folders',
        () => workFolders(stage.stack),
        (folders) => folders.length === 0,
      ),
    ).toEqual([]);
    expect(
      await until(
        'the decoders',
        () => strayProcesses(stage.stack),
        (processes) => processes.length === 0,
      ),
    ).toEqual([]);
  });

  it('logs no key, no secret, no token and nothing of a body', async () => {
    const { project, cabinet_token: token } = stage.stack.dev;
    const secrets = [...Object.values(stage.receivers), stage.rushReceiver].map(({ secret }) => secret);
    const logs = await serviceLogs(stage.stack);
    expect(logs).toContain('"level":"debug"');
    expect(
      linesWith(logs, [project.key, token, stage.projects.rush.key, ...secrets, 'calls at Eastport', 'Bearer ']),
    ).toEqual([]);
    expect(linesWith(stage.stack.output(), [...secrets, 'calls at Eastport'])).toEqual([]);
  });

  describe('when its database is then damaged', () => {
    let messages: string[] = [];

    beforeAll(async () => {
      for (const { sql } of DAMAGES) await stage.pool.query(sql, sql.includes('$1') ? [stage.projects.main.id] : []);
      const lake = await stage.openLake();
      for (const { sql } of LAKE_DAMAGES) await lake.query(sql);
      await lake.close();
      ({ messages } = await check(stage, (await untilQuiet(stage.pool, 0, stage.signal)).left));
    });

    it.each([...DAMAGES, ...LAKE_DAMAGES])('fails the check: $what', ({ found }) => {
      expect(messages).toContainEqual(expect.stringMatching(found));
    });
  });

  it('stops, and says so', async () => {
    const { stack } = stage;
    await stage.close(false);
    expect(stack.output()).toMatch(/stopped\n$/);
  });
});
