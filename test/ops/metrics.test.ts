/** Alerts and dashboard use metrics that the code registers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createWebhookMetrics } from '../../loops/delivery/metrics.ts';
import { registerDatabaseMetrics } from '../../api/databaseMetrics.ts';
import { createRequestMetrics } from '../../api/http/requestMetrics.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { createIngestMetrics } from '../../loops/ingest/metrics.ts';
import { createSelectionMetrics } from '../../output/selection/metrics.ts';
import { createOutputMetrics } from '../../output/serve/metrics.ts';
import { activityMetrics } from '../../platform/process/metrics/activityMetrics.ts';
import { registerDiskGauges } from '../../platform/process/metrics/diskGauges.ts';
import { createRegistry } from '../../platform/process/metrics/metrics.ts';
import { createRelayMetrics } from '../../loops/relay/metrics.ts';
import { createEngineMetrics } from '../../reports/engines/engineMetrics.ts';
import { watchLake } from '../../reports/lake/lakeMetrics.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ALERTS } from './support/alerting.ts';
import { FILLED, ownServices, readCompose, readText } from './support/compose.ts';

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}

const dashboard = JSON.parse(readText('ops/grafana-dashboard.json')) as Dashboard;
const expressions: [string, string][] = [
  ...ALERTS.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }): [string, string] => [title, expr])),
];

/** Counted by Temporal's SDK in the workers; test/workers/stuckWorkflow.test.ts checks it there. */
const SDK_METRIC = 'temporal_workflow_task_execution_failed';
const SDK_LABELS = ['failure_reason', 'workflow_type'];
/** Labels that Prometheus and the scrape configuration add to every series. */
const ADDED_LABELS = ['job', 'instance', 'address', 'le', 'service'];
const OURS = /\b(?:attune|nodejs|process)_\w+/g;

let database: TestDatabase;
let exposed: string;
const labelsOf = new Map<string, readonly string[]>();

beforeAll(async () => {
  database = await createTestDatabase();
  const registry = createRegistry('test');
  const api = createRegistry('api');
  registerDatabaseMetrics(api, database.pool);
  registerDiskGauges(api, { work: '/' });
  createRequestMetrics(registry);
  activityMetrics(registry);
  createWebhookMetrics(registry);
  createRelayMetrics(registry, database.pool);
  createIngestMetrics(registry, database.pool, () => 0);
  watchLake(registry, database.pool);
  createOutputMetrics(registry);
  createSelectionMetrics(registry, () => ({ projects: 0, items: 0, bytes: 0, behindMs: 0 }));
  createEngineMetrics(registry, { running: 0, waiting: 0 });
  exposed = (await Promise.all([registry, api].map((one) => one.metrics()))).join('\n');
  for (const metric of [registry, api].flatMap((one) => one.getMetricsAsArray()) as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[]) {
    const names =
      metric.type === 'histogram' ? ['_bucket', '_count', '_sum'].map((ending) => metric.name + ending) : [metric.name];
    for (const name of names) labelsOf.set(name, metric.labelNames);
  }
});

afterAll(() => database.drop());

describe('expressions of the alerts and of the dashboard', () => {
  it.each(expressions)('use metrics and labels that exist: %s', (_title, expr) => {
    const metrics = expr.match(OURS) ?? [];
    expect(metrics.length > 0 || /\bup\b|approximate_backlog_age_seconds/.test(expr) || expr.includes(SDK_METRIC)).toBe(
      true,
    );
    const known = metrics.flatMap((name) => labelsOf.get(name) ?? [`${name} is not registered`]);
    expect(known.filter((label) => label.includes(' '))).toEqual([]);
    const used = [...expr.matchAll(/\b(\w+)\s*(?:=~|!~|!=|=)\s*"/g), ...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(
      ([, names = '']) => names.split(/,\s*/),
    );
    const ofTemporal = ['taskqueue', 'task_type', ...SDK_LABELS];
    expect(used.filter((label) => ![...known, ...ADDED_LABELS, ...ofTemporal].includes(label))).toEqual([]);
  });

  it('use only queues whose depth is counted, and list the task queues in full', () => {
    const asked = expressions.flatMap(([, expr]) =>
      [...expr.matchAll(/attune_queue_depth\{queue="(\w+)"/g)].map(([, queue]) => queue),
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const queue of asked) expect(exposed).toContain(`attune_queue_depth{queue="${queue}"`);
    // Trainings wait for each other for half the night, so AttuneTrainingMissing has a separate limit for them.
    const all = (queues: string): string[] => [...new Set([...queues.split('|'), QUEUES.training])].sort();
    for (const [, expr] of expressions)
      for (const [, queues = ''] of expr.matchAll(/taskqueue=~"([^"]+)"/g))
        expect(all(queues)).toEqual(Object.values(QUEUES).sort());
  });
});

describe('alerts', () => {
  it('have unique names, a severity, and an existing place in the docs', () => {
    expect(new Set(ALERTS.map(({ alert }) => alert)).size).toBe(ALERTS.length);
    const headings = new Set(
      [...readText('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    for (const { labels, annotations } of ALERTS) {
      expect(['critical', 'warning']).toContain(labels.severity);
      const [file, anchor = ''] = annotations.runbook.split('#');
      expect([file, anchor, headings.has(anchor)]).toEqual(['docs/operations.md', anchor, true]);
    }
  });
});

describe('AttuneServiceMissing', () => {
  it('names every service that keeps running, and no other', () => {
    const { expr = '' } = ALERTS.find(({ alert }) => alert === 'AttuneServiceMissing') ?? {};
    const named = [...expr.matchAll(/instance="([\w-]+):9464"/g)].map(([, name]) => name);
    const running = ownServices(readCompose(FILLED)).filter(([, { healthcheck }]) => healthcheck !== undefined);
    expect(named.toSorted()).toEqual(running.map(([name]) => name).toSorted());
  });
});

describe('prometheus.yml', () => {
  it('scrapes every process, at the port it answers on', () => {
    interface Scrape {
      dns_sd_configs?: { names: string[]; port: number }[];
    }
    const { scrape_configs: scrapes } = parse(readText('ops/prometheus.yml')) as { scrape_configs: Scrape[] };
    const { names = [], port } = scrapes[0]?.dns_sd_configs?.[0] ?? {};
    const running = ownServices(readCompose(FILLED)).filter(([, { healthcheck }]) => healthcheck !== undefined);
    expect(names.toSorted()).toEqual(running.map(([name]) => name).toSorted());
    for (const [, { environment }] of running) {
      expect(environment).toMatchObject({ METRICS_PORT: String(port), METRICS_HOST: '0.0.0.0' });
    }
  });
});

describe('the dashboard', () => {
  it('has panels with unique ids', () => {
    expect(dashboard.panels.length).toBeGreaterThan(10);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});
