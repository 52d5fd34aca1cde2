/** A killed process is always noticed: its own metrics disappear, and the rules of ops/alerts.yml still fire. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { createReleaseStage, type ReleaseStage } from '../support/whole/releaseStage.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';
import { ALERTS, firesAt, seriesOf } from './support/alerting.ts';
import { ROOT } from './support/compose.ts';
import { readExposition } from './support/exposition.ts';
import { evaluate } from './support/promql.ts';
import type { Series } from './support/promqlVectors.ts';

/** The api is last, because it reports on work that the others leave. */
const NAMES = ['relay', 'workflow', 'media', 'ai', 'data', 'webhook', 'ingest', 'selection', 'analytics', 'api'];
const SECONDS = 600;
/** From this lag on, ops/alerts.yml calls an event loop blocked. */
const BLOCKED_SECONDS = 0.5;
/** The rules wait for two minutes. */
const KILLED_AT = 120;

let database: TestDatabase;
let temporal: TestTemporal;
let stage: ReleaseStage;
/** The series of each process while all of them ran. */
const told = new Map<string, Series[]>();

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), createTestTemporal()]);
  stage = await createReleaseStage(database.url, temporal);
  await stage.start(ROOT, NAMES, { WORKFLOW_BUNDLE: (await testWorkflowBundle()).codePath });
  for (const name of NAMES) told.set(name, await scrapeWithoutLag(name));
});

afterAll(async () => {
  await stage?.close();
  await temporal?.close();
  await database?.drop();
});

/** Returns null when nothing answers. */
async function scrape(name: string): Promise<Series[] | null> {
  const answer = await fetch(stage.metricsOf(name)).catch(() => null);
  return answer === null ? null : readExposition(await answer.text());
}

/**
 * Returns the first answer of a process whose event loop has not lagged since its previous answer. A process that loads
 * its modules beside nine others lags for a few seconds. The alert requires five minutes of lag, and these series
 * repeat one answer for that long.
 */
const scrapeWithoutLag = (name: string): Promise<Series[]> =>
  eventually(async () => {
    const series = await scrape(name);
    const lag = series?.find(({ labels }) => labels['__name__'] === 'nodejs_eventloop_lag_p99_seconds');
    return (lag?.samples[0]?.[1] ?? Infinity) < BLOCKED_SECONDS ? series : null;
  }, `figures of ${name} without a lag`);

const instanceOf = (name: string): string =>
  `${['api', 'relay', 'selection'].includes(name) ? name : `worker-${name}`}:9464`;

/** Returns a process's samples from the first second to `until`, with the labels of ops/prometheus.yml. */
function kept(name: string, series: readonly Series[], until = SECONDS): Series[] {
  const target = { job: 'attune', instance: instanceOf(name) };
  const lasting = series.map(({ labels: { __name__: metric = '', ...labels }, samples }) =>
    seriesOf(metric, { ...labels, ...target }, SECONDS, (at) => (at <= until ? (samples[0]?.[1] ?? 0) : null)),
  );
  return [...lasting, seriesOf('up', target, SECONDS, (at) => (at <= until ? 1 : null))];
}

const everybody = (but?: string): Series[] =>
  NAMES.filter((name) => name !== but).flatMap((name) => kept(name, told.get(name) ?? []));

const ofAttune = ALERTS.filter(({ alert }) => alert.startsWith('Attune')).map(({ alert }) => alert);

/** Returns the instances for which the alert fires at a moment. */
function named(alert: string, series: readonly Series[], at: number): (string | undefined)[] {
  const { expr = '' } = ALERTS.find((rule) => rule.alert === alert) ?? {};
  const value = evaluate(expr, series, at);
  return typeof value === 'number' ? [] : value.map(({ labels }) => labels['instance']);
}

/** Figures about a process's own memory: while selection is down, its answers are fallbacks, which the API counts. */
const OWN_FIGURES: ReadonlySet<string> = new Set(['attune_selection_behind_seconds']);

describe('while every process runs', () => {
  it('no alert fires', () => {
    const series = everybody();
    expect(series.length).toBeGreaterThan(500);
    expect(ofAttune.filter((alert) => firesAt(alert, series, SECONDS) !== null)).toEqual([]);
  });
});

describe('the effects of a killed process', () => {
  it('are reported by the API: work that does not reach Temporal, waiting hits and rows', async () => {
    await stage.kill('relay');
    await stage.kill('ingest');
    await stage.kill('analytics');
    const headers = { authorization: `Bearer ${stage.keys.projectKey}`, 'content-type': 'application/json' };
    const item = JSON.stringify({ type: 'text', title: 'Hello', body: 'The tram is back in the depot.' });
    await fetch(`${stage.origin}/content/api/v1/items/a`, { method: 'PUT', headers, body: item });
    const at = new Date().toISOString();
    const events = [{ id: randomUUID(), at, type: 'pageview', url: 'https://shop.example/' }];
    const body = JSON.stringify({ key: stage.keys.siteTagKey, visitor_id: randomUUID(), sent_at: at, events });
    await fetch(`${stage.origin}/collect`, { method: 'POST', headers, body });
    await database.pool.query(`update outbox set created_at = now() - interval '1 hour'`);
    await database.pool.query(`update collect_inbox set received_at = now() - interval '1 hour'`);
    const series = [...everybody('api'), ...kept('api', await scrapeWithoutLag('api'))];
    expect(ofAttune.filter((alert) => firesAt(alert, series, SECONDS) !== null)).toEqual([
      'AttuneOutboxNotTaken',
      'AttuneHitsNotIngested',
    ]);
  });

  it('are visible in every figure that an alert about it uses', async () => {
    const alone = new Set((await scrape('api'))?.map(({ labels }) => labels['__name__']));
    const figures = ALERTS.flatMap(({ expr }) => expr.match(/\battune_\w+(?:_seconds|_rows|_set_aside)\b/g) ?? []);
    expect(figures).toContain('attune_lake_staged_age_seconds');
    expect(figures.filter((name) => !alone.has(name) && !OWN_FIGURES.has(name))).toEqual([]);
  });
});

describe.each(NAMES)('%s, killed', (name) => {
  beforeAll(async () => {
    await stage.kill(name).catch(() => {});
  });

  it('is reported as missing if its container is gone too', async () => {
    expect(await scrape(name)).toBeNull();
    const series = [...everybody(name), ...kept(name, told.get(name) ?? [], KILLED_AT)];
    expect(firesAt('AttuneServiceMissing', series, SECONDS)).toBeGreaterThan(KILLED_AT);
    expect(named('AttuneServiceMissing', series, SECONDS)).toEqual([instanceOf(name)]);
  });

  it('is reported as missing if its address is still queried', () => {
    const target = { job: 'attune', instance: instanceOf(name) };
    const down = seriesOf('up', target, SECONDS, (at) => (at <= KILLED_AT ? 1 : 0));
    const series = [...everybody(name), down];
    expect(firesAt('AttuneProcessDown', series, SECONDS)).toBeGreaterThan(KILLED_AT);
    expect(named('AttuneProcessDown', series, SECONDS)).toEqual([instanceOf(name)]);
  });
});
