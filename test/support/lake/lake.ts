/** A lake for a test file, and rows to put into it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { S3Settings } from '../../../platform/blobs/blobSettings.ts';
import type { ConversionRow, HitRow, OrderLineRow, OrderRow, VisitRow } from '../../../domain/reports/lakeRows.ts';
import type { TrafficSource } from '../../../domain/sites/trafficSource.ts';
import { openLake, type Lake } from '../../../reports/lake/index.ts';
import type { LakeSettings } from '../../../reports/lake/lakeSettings.ts';
import { testDuckdbExtensions } from '../programs/engines.ts';

export interface TestLake {
  lake: Lake;
  settings: LakeSettings;
  /** Call it before the database is dropped. */
  close(): Promise<void>;
}

/**
 * @param s3 where its files go; the default is a new folder
 * @param threads in tables of a few rows a second thread has nothing to do, but makes the work a third more expensive
 */
export async function openTestLake(
  databaseUrl: string,
  { s3, threads = 1 }: { s3?: S3Settings; threads?: number } = {},
): Promise<TestLake> {
  const dir = await mkdtemp(join(tmpdir(), 'attune-lake-'));
  const settings: LakeSettings = {
    databaseUrl,
    data: s3 === undefined ? { kind: 'local', dir: join(dir, 'lake') } : { kind: 's3', prefix: 'lake', ...s3 },
    extensionsDir: await testDuckdbExtensions(),
    areExtensionsTrusted: true,
    tempDir: join(dir, 'temp'),
    memoryMb: 512,
    threads,
  };
  const lake = await openLake(settings);
  return {
    lake,
    settings,
    async close() {
      await lake.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Returns the environment variables that describe a lake to the worker of the reports queue. */
export function lakeEnv({ data, tempDir, extensionsDir }: LakeSettings): Record<string, string> {
  if (data.kind !== 'local' || extensionsDir === null) throw new Error('a process needs a folder and its extensions');
  return { LAKE_DIR: data.dir, LAKE_TEMP_DIR: join(tempDir, 'worker'), DUCKDB_EXTENSIONS_DIR: extensionsDir };
}

/** Ages the lake's files, and the blobs that await removal, by an hour. */
export async function passAnHour(pool: pg.Pool): Promise<void> {
  await pool.query(`update lake.ducklake_snapshot set snapshot_time = snapshot_time - interval '1 hour'`);
  await pool.query(
    `update lake.ducklake_files_scheduled_for_deletion set schedule_start = schedule_start - interval '1 hour'`,
  );
  await pool.query(`update blob_garbage set after = after - interval '1 hour'`);
}

/** The fixed moment of the tests: 2026-03-15 12:00 UTC. */
export const NOON = Date.UTC(2026, 2, 15, 12);

export const DIRECT: TrafficSource = {
  source_type: 'direct',
  source_name: null,
  search_engine: null,
  search_phrase: null,
  social_network: null,
  messenger: null,
  ai_assistant: null,
  ad_system: null,
  referrer_domain: null,
  referrer_url: null,
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_content: null,
  utm_term: null,
  click_id: null,
};

export function hitRow(given: Partial<HitRow> = {}): HitRow {
  const at = given.at ?? NOON;
  return {
    site_id: 'site00000001',
    hit_id: randomUUID(),
    visit_id: randomUUID(),
    visitor_id: randomUUID(),
    visitor_bucket: 17,
    at,
    visit_started_at: at,
    type: 'pageview',
    weight: 1,
    page_url: 'https://shop.example/a?b=c',
    page_domain: 'shop.example',
    page_path: '/a',
    page_title: 'Товар «А»',
    referrer: null,
    name: null,
    params: '{"k":"v"}',
    target: null,
    target_domain: null,
    depth: null,
    x: null,
    y: null,
    selector: null,
    element_x: null,
    element_y: null,
    viewport_width: null,
    viewport_height: null,
    document_width: null,
    document_height: null,
    ...given,
  };
}

export function visitRow(given: Partial<VisitRow> = {}): VisitRow {
  const started = given.started_at ?? NOON;
  return {
    site_id: 'site00000001',
    visit_id: randomUUID(),
    visitor_id: randomUUID(),
    visitor_bucket: 17,
    user_id: null,
    started_at: started,
    ended_at: started + 60_000,
    duration_s: 60,
    weight: 1,
    pageviews: 2,
    weighted_pageviews: 2,
    hits: 3,
    weighted_hits: 3,
    goals: 0,
    is_bounce: false,
    is_robot: false,
    robot_reason: null,
    visit_number: 1,
    first_visit_at: started,
    previous_visit_at: null,
    entry_url: 'https://shop.example/a',
    entry_domain: 'shop.example',
    entry_path: '/a',
    exit_url: 'https://shop.example/b',
    exit_path: '/b',
    params: null,
    device_type: 'desktop',
    device_brand: null,
    device_model: null,
    os: 'Linux',
    os_version: null,
    browser: 'Firefox',
    browser_version: '140',
    browser_engine: 'Gecko',
    continent: 'EU',
    country: 'RU',
    region: null,
    city: null,
    browser_language: 'ru-RU',
    screen_resolution: '1920x1080',
    window_size: '1200x800',
    visitor_timezone: 'Europe/Moscow',
    source_last: { ...DIRECT, source_type: 'organic', source_name: 'Яндекс' },
    source_last_significant: { ...DIRECT, source_type: 'organic' },
    source_first: DIRECT,
    ...given,
  };
}

const FACT = {
  site_id: 'site00000001',
  visitor_id: null,
  visitor_bucket: 17,
  user_id: 'u1',
  visit_id: null,
  visit_started_at: null,
  at: NOON,
  weight: 1,
} as const;

export function conversionRow(given: Partial<ConversionRow> = {}): ConversionRow {
  return {
    ...FACT,
    origin: 'api',
    conversion_id: randomUUID(),
    goal: 'lead',
    goal_source: 'api',
    value: 10.5,
    ...given,
  };
}

export function orderRow(given: Partial<OrderRow> = {}): OrderRow {
  return {
    ...FACT,
    transaction_id: randomUUID(),
    status: 'purchased',
    origin: 'api',
    currency: 'RUB',
    revenue: 100.1,
    promo_code: null,
    is_first: true,
    is_full_refund: null,
    ...given,
  };
}

export function orderLineRow(given: Partial<OrderLineRow> = {}): OrderLineRow {
  return {
    ...FACT,
    transaction_id: 't1',
    status: 'purchased',
    line: 1,
    currency: 'RUB',
    product_id: 'p1',
    product_name: 'A',
    product_brand: null,
    product_variant: null,
    product_category: 'a/b',
    price: 1.1,
    quantity: 2,
    ...given,
  };
}
