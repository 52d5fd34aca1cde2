import { describe, expect, it } from '@jest/globals';
import type { Registry } from 'prom-client';
import { readIngestLag } from '../../../db/visits/ingestLag.ts';
import { SHARDS } from '../../../domain/collect/shards.ts';
import { eventually } from '../../support/eventually.ts';
import { addSite, collect, event, isIngested, request, traffic } from './support/inbox.ts';
import { stageIngest, valueOf } from './support/ingestStage.ts';

const stage = stageIngest();

describe('ingest processes', () => {
  it('share the shards evenly, take over from one that leaves, and duplicate nothing', async () => {
    const shardsOf = (registry: Registry): Promise<number | undefined> => valueOf(registry, 'attune_ingest_shards');
    const first = await stage.ingest(1);
    await eventually(async () => (await shardsOf(first)) === SHARDS, 'one has all');
    const second = await stage.ingest(1);
    const third = await stage.ingest(1);
    await eventually(async () => {
      const parts = [await shardsOf(first), await shardsOf(second), await shardsOf(third)].map((part) => part ?? 0);
      return parts.reduce((sum, part) => sum + part, 0) === SHARDS && Math.max(...parts) <= 6;
    }, 'even parts');
    const sites = await Promise.all(Array.from({ length: 6 }, () => addSite(stage.pool)));
    const requests = traffic(sites, 60);
    await collect(stage.pool, requests.slice(0, 180));
    await stage.stopFirst();
    await collect(stage.pool, requests.slice(180));
    await stage.inLake();
    await eventually(
      async () => ((await shardsOf(second)) ?? 0) + ((await shardsOf(third)) ?? 0) === SHARDS,
      'taken over',
    );
    const ids = requests.flatMap(({ events }) => events.map(({ key }) => key));
    const rows = await stage.testLake.lake.query<{ count: number; distinct: number }>(
      `select count(*)::int as count, count(distinct hit_id)::int as distinct from lake.hits where site_id in (${sites.map((id) => `'${id}'`).join(',')})`,
    );
    expect(rows).toEqual([{ count: ids.length, distinct: ids.length }]);
  });

  it('continue when PostgreSQL sessions break, and lose nothing', async () => {
    const sites = [await addSite(stage.pool), await addSite(stage.pool)];
    const requests = traffic(sites, 100);
    await stage.ingest(2);
    for (let sent = 0; sent < requests.length; sent += 100) {
      await collect(stage.pool, requests.slice(sent, sent + 100));
      await stage.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'attune-ingest'`,
      );
    }
    await stage.inLake();
    const rows = await stage.testLake.lake.query(
      `select count(*)::int as count, count(distinct hit_id)::int as distinct from lake.hits where site_id in ('${sites.join(`','`)}')`,
    );
    expect(rows).toEqual([{ count: 900, distinct: 900 }]);
  });

  it('keep staging while the lake is unavailable, and write to it when it is back', async () => {
    const siteId = await addSite(stage.pool);
    await stage.ingest(1, { ...stage.testLake.settings, extensionsDir: '/nonexistent' });
    await collect(stage.pool, [request(siteId, [event()])]);
    await eventually(() => isIngested(stage.pool), 'ingested');
    expect((await readIngestLag(stage.pool)).seconds).toBe(0);
    const { rows } = await stage.pool.query('select sum(row_count)::int as rows from lake_batches');
    expect(rows[0]?.rows).toBeGreaterThan(0);
    await stage.stopFirst();
    await stage.ingest(1);
    await stage.inLake();
    expect(
      await stage.testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 1 }]);
  });
});
