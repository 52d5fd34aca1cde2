/** Engines whose reports take too long, ignore cancellation, crash, or need too much memory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createPool } from '../../../db/pool.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { sweepWorkDir } from '../../../platform/disk/workDir.ts';
import { Engine, INTERRUPT_GRACE_MS, OPEN_MS } from '../../../reports/engines/engine.ts';
import { createReportEngines, type ReportEngines, type ReportSettings } from '../../../reports/engines/index.ts';
import type { EnginesExtra } from '../../../reports/engines/engines.ts';
import type { Report } from '../../../reports/reportRequest.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestLake } from '../../support/lake/lake.ts';
import { withDatabase } from '../../support/servers/template.ts';
import { watchChildren } from './support/watchChildren.ts';

const ENTRY = new URL('support/child.ts', import.meta.url).pathname;
const PARENT = new URL('support/parent.ts', import.meta.url).pathname;
/**
 * Limits in seconds. LONG is longer than any report here that must not be cut off. SHORT is shorter than the reports
 * that must be cut off, and enough for the others on a busy machine.
 */
const [LONG, SHORT] = [120, 3];

let database: TestDatabase;
let dir: string;
let settings: ReportSettings;
beforeAll(async () => {
  database = await createTestDatabase();
  dir = await mkdtemp(join(tmpdir(), 'attune-engines-'));
  const test = await openTestLake(database.url);
  settings = {
    lake: {
      ...test.settings,
      data: { kind: 'local', dir: join(dir, 'lake') },
      tempDir: join(dir, 'temp'),
      tempMb: 64,
      memoryMb: 128,
      threads: 1,
    },
    engines: 2,
    seconds: LONG,
    sampleSeconds: LONG,
    lateEventHours: 24,
    audienceMinPeople: 1,
  };
  // The catalogue stores the path of its files.
  settings = { ...settings, lake: { ...settings.lake, data: test.settings.data } };
  await test.close();
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await database.drop();
});

let engines: ReportEngines;
let registry: Registry;
let log: string[];
afterEach(() => engines.close());

function start(given: Partial<ReportSettings> = {}, extra: Omit<EnginesExtra, 'registry' | 'entry'> = {}): void {
  registry = new Registry();
  log = [];
  engines = createReportEngines(
    { ...settings, ...given },
    createLogger('test', 'warn', { write: (line: string) => log.push(line) }),
    { registry, entry: ENTRY, ...extra },
  );
}
const site = (siteId: string) => ({ siteId, timezone: 'Europe/Moscow', currency: 'RUB', rates: {}, goals: [] });
const request = (...metrics: string[]) => ({
  dimensions: [],
  metrics,
  date_from: '2026-03-15',
  date_to: '2026-03-15',
  filters: [],
  segment: null,
  attribution: 'last' as const,
  robots: 'exclude' as const,
  sort: [],
  limit: 1,
  offset: 0,
});
const run = (
  siteId: string,
  metrics: readonly string[],
  { limit = 1, ...options }: { limit?: number; signal?: AbortSignal } = {},
): Promise<Report> => engines.run({ ...request(...metrics), limit }, site(siteId), { language: 'en', ...options });
const pidOf = (report: Report): number => report.totals[0] ?? 0;
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const metric = async (name: string): Promise<number> =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
const outcomes = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    ((await registry.getSingleMetric('attune_report_seconds')?.get())?.values ?? [])
      .filter((value) => 'metricName' in value && value.metricName === 'attune_report_seconds_count')
      .map(({ labels, value }) => [String(labels['outcome']), value]),
  );

const children = watchChildren();
/** Counts the engines' queries in PostgreSQL whose text contains the word. */
const queriesWith = async (word: string): Promise<number> =>
  (
    await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = 'attune-reports' and state = 'active' and query like $1`,
      [`%${word}%`],
    )
  ).rows.length;

describe('an engine', () => {
  it('makes report after report in its own low-priority process, and returns at most the requested rows', async () => {
    start();
    const first = await run('a', ['ok']);
    expect(first).toEqual({
      data: [{ dimensions: ['a'], metrics: [1] }],
      totals: [expect.any(Number), 10],
      sampled: false,
      timezone: 'Europe/Moscow',
      rows: 0,
    });
    const second = await run('b', ['ok'], { limit: 20_000 });
    expect([pidOf(second), second.data.length]).toEqual([pidOf(first), 20_000]);
    expect(pidOf(first)).not.toBe(process.pid);
    await engines.close();
    expect([isRunning(pidOf(first)), await readdir(settings.lake.tempDir)]).toEqual([false, []]);
    expect(await outcomes()).toEqual({ whole: 2 });
  });

  it('is closed only when its process has ended, even if it was killed before', async () => {
    start();
    const engine = new Engine(ENTRY, settings.lake);
    await engine.opened();
    const pid = engine.pid ?? 0;
    const killed = engine.close();
    await engine.close();
    expect(isRunning(pid)).toBe(false);
    await killed;
  });

  // proves: report/sampled, report-limits/computation
  it('is interrupted in time and runs the report on a sample', async () => {
    start({ seconds: SHORT });
    const before = pidOf(await run('a', ['ok']));
    const report = await run('a', ['heavy', 'whole']);
    expect([report.sampled, pidOf(report)]).toEqual([true, before]);
    expect(await outcomes()).toEqual({ whole: 1, sampled: 1 });
  });

  // proves: analytics-rules/3, report-limits/computation
  it('abandons the report if the sample takes too long as well', async () => {
    start({ seconds: SHORT, sampleSeconds: SHORT });
    await expect(run('a', ['heavy'])).rejects.toThrow(expect.objectContaining({ name: 'ReportTimeoutError' }));
    expect((await run('a', ['ok'])).sampled).toBe(false);
    expect(await outcomes()).toEqual({ timeout: 1, whole: 1 });
  });

  it('is killed if it does not obey, and another runs the report on a sample', async () => {
    start({ seconds: SHORT });
    const before = pidOf(await run('a', ['ok']));
    const report = await run('a', ['deaf', 'whole']);
    expect(report.sampled).toBe(true);
    expect([pidOf(report) === before, isRunning(before), await metric('attune_report_engine_deaths_total')]).toEqual([
      false,
      false,
      1,
    ]);
  });

  it('fails only its own report if it dies', async () => {
    start();
    const other = run('b', ['postgres']);
    await expect(run('a', ['crash'])).rejects.toThrow(expect.objectContaining({ name: 'ReportEngineDiedError' }));
    await other;
    expect((await run('a', ['ok'])).sampled).toBe(false);
  });

  it('tries the sample if it needs too much memory, and survives', async () => {
    start({ engines: 1 });
    const before = pidOf(await run('a', ['ok']));
    expect(pidOf(await run('a', ['huge', 'whole']))).toBe(before);
    await expect(run('a', ['huge'])).rejects.toThrow(expect.objectContaining({ name: 'ReportTimeoutError' }));
    expect(pidOf(await run('a', ['ok']))).toBe(before);
    expect((await readdir(settings.lake.tempDir)).length).toBe(1);
  });

  it('is replaced for the sample if its heap is full', async () => {
    start({ engines: 1 });
    expect((await run('a', ['heap', 'whole'])).sampled).toBe(true);
    expect(await metric('attune_report_engine_deaths_total')).toBe(1);
  });

  it('leaves no query behind if it is killed while PostgreSQL works for it', async () => {
    start({ seconds: SHORT, sampleSeconds: LONG });
    const report = run('a', ['sleep', 'whole']);
    await eventually(async () => (await queriesWith('pg_sleep')) === 1, 'PostgreSQL works');
    expect((await report).sampled).toBe(true);
    await eventually(async () => (await queriesWith('pg_sleep')) === 0, 'PostgreSQL has ended the query');
  });

  it('does not see the environment of its parent', async () => {
    start();
    const { data } = await run('a', ['environment']);
    const names = data[0]?.dimensions ?? [];
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME']));
    expect(names.filter((name) => !/^(PATH|HOME|LC_ALL|NODE_\w+)$/.test(String(name)))).toEqual([]);
  });

  it('reads no file but those of the lake, not even what the kernel shows of its parent', async () => {
    start();
    await expect(run('a', ['file'])).rejects.toThrow('disabled by configuration');
  });

  it('ends its report, not this process, if Node reports its failure twice', async () => {
    start({ engines: 1 });
    const pid = pidOf(await run('a', ['ok']));
    const heavy = Promise.allSettled([run('a', ['heavy'])]);
    await eventually(async () => (await metric('attune_reports_running')) === 1, 'the report runs');
    const child = children.find((one) => one.pid === pid);
    expect(child).toBeDefined();
    for (const message of ['kill EPERM', 'kill EPERM again']) child?.emit('error', new Error(message));
    expect(await heavy).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ name: 'ReportEngineDiedError' }) },
    ]);
    child?.kill('SIGKILL');
  });

  it('fails a report whose rows have too much text', async () => {
    start();
    await expect(run('a', ['long'])).rejects.toThrow(expect.objectContaining({ name: 'ReportTooLargeError' }));
    expect(await outcomes()).toEqual({ too_large: 1 });
  });

  it('distinguishes a pattern that is too complex from an internal error', async () => {
    start();
    await expect(run('a', ['pattern'])).rejects.toThrow(expect.objectContaining({ name: 'ReportPatternError' }));
    await expect(run('a', ['wrong'])).rejects.toThrow(
      expect.objectContaining({ name: 'ReportFailedError', message: expect.stringContaining('no_such_column') }),
    );
  });
});

describe('engines without a report', () => {
  it('end after a while, except the first', async () => {
    start({}, { idleMs: 1 });
    const first = await run('a', ['ok']);
    const gone = new AbortController();
    const heavy = run('a', ['heavy'], { signal: gone.signal });
    const second = await run('b', ['ok']);
    expect(pidOf(second)).not.toBe(pidOf(first));
    await eventually(() => !isRunning(pidOf(second)), 'the second engine ends');
    gone.abort(new Error('gone'));
    await expect(heavy).rejects.toThrow('gone');
    expect(pidOf(await run('b', ['ok']))).toBe(pidOf(first));
  });

  it('are started only for a report if they are patient, and then all of them end', async () => {
    const before = children.length;
    start({}, { idleMs: 1, isPatient: true });
    // An engine that starts early is ready before the first report of another.
    const others = createReportEngines({ ...settings, engines: 1 }, createLogger('test', 'silent'), { entry: ENTRY });
    await others.run(request('ok'), site('a'), { language: 'en' });
    await others.close();
    expect(children.length).toBe(before + 1);
    const report = await run('a', ['ok']);
    expect(children.length).toBe(before + 2);
    await eventually(() => !isRunning(pidOf(report)), 'the engine ends');
  });

  it('end without harm to their process if the folder cannot be swept', async () => {
    const tempDir = join(dir, 'unswept');
    start({ engines: 1, lake: { ...settings.lake, tempDir } }, { idleMs: 20, isPatient: true });
    const report = await run('a', ['ok']);
    // Before the idle time can be over.
    rmSync(tempDir, { recursive: true });
    writeFileSync(tempDir, 'a file where the folder has to be');
    await eventually(() => !isRunning(pidOf(report)), 'the engine ends');
    await expect(run('a', ['ok'])).rejects.toBeInstanceOf(Error);
    rmSync(tempDir);
    // Jest would fail this test for a rejection that nobody handles.
    expect(pidOf(await run('a', ['ok']))).not.toBe(pidOf(report));
  });
});

describe('a caller who disconnects', () => {
  it('ends the report, and the engine is free at once', async () => {
    start({ engines: 1 });
    const pid = pidOf(await run('a', ['ok']));
    const gone = new AbortController();
    const report = run('a', ['heavy'], { signal: gone.signal });
    await eventually(async () => (await metric('attune_reports_running')) === 1, 'the report runs');
    gone.abort(new Error('gone'));
    await expect(report).rejects.toThrow('gone');
    expect(pidOf(await run('b', ['ok']))).toBe(pid);
    expect(await outcomes()).toEqual({ whole: 2, gone: 1 });
  });
});

describe('another site', () => {
  it('gets an engine at once while heavy reports of one site occupy theirs', async () => {
    start();
    const gone = new AbortController();
    const heavy = [1, 2, 3].map(() => run('a', ['heavy'], { signal: gone.signal }));
    const ended = Promise.allSettled(heavy);
    await eventually(
      async () => (await metric('attune_reports_running')) === 1 && (await metric('attune_reports_waiting')) === 2,
      'one runs and two wait',
    );
    expect((await run('b', ['ok'])).totals).toHaveLength(2);
    expect([await metric('attune_reports_running'), await metric('attune_reports_waiting')]).toEqual([1, 2]);
    gone.abort(new Error('gone'));
    await ended;
  });

  it('is refused if none becomes free in time', async () => {
    start({ engines: 1 }, { waitMs: 50 });
    const gone = new AbortController();
    const heavy = run('a', ['heavy'], { signal: gone.signal });
    await eventually(async () => (await metric('attune_reports_running')) === 1, 'the report runs');
    await expect(run('b', ['ok'])).rejects.toThrow(expect.objectContaining({ name: 'ReportsBusyError' }));
    gone.abort(new Error('gone'));
    await expect(heavy).rejects.toThrow('gone');
  });
});

describe('a process with something missing', () => {
  it('names the missing extension', async () => {
    const empty = join(dir, 'no-extensions');
    start({ lake: { ...settings.lake, extensionsDir: empty } });
    await expect(run('a', ['ok'])).rejects.toThrow(
      expect.objectContaining({
        name: 'ReportsUnavailableError',
        message: expect.stringContaining('postgres_scanner'),
      }),
    );
  });

  it('is unavailable while PostgreSQL refuses it, logs it once, and works again afterwards', async () => {
    start({ engines: 1 });
    await run('a', ['postgres']);
    const name = new URL(database.url).pathname.slice(1);
    const server = createPool({
      databaseUrl: withDatabase(database.url, 'postgres'),
      size: 1,
      applicationName: 'attune-test',
    });
    try {
      await server.query(`alter database "${name}" with allow_connections false`);
      await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [name]);
      await eventually(
        async () =>
          (
            await server.query(`select from pg_stat_activity where datname = $1 and backend_type = 'client backend'`, [
              name,
            ])
          ).rowCount === 0,
        'the end of every session',
      );
      for (let n = 0; n < 2; n += 1)
        await expect(run('a', ['postgres'])).rejects.toThrow(
          expect.objectContaining({ name: 'ReportsUnavailableError' }),
        );
      expect(log.filter((line) => line.includes('reports cannot be run'))).toHaveLength(1);
    } finally {
      await server.query(`alter database "${name}" with allow_connections true`);
      await server.end();
    }
    expect((await run('a', ['postgres'])).sampled).toBe(false);
  });
});

describe('the end', () => {
  it('of a process ends its engines, even if it was killed', async () => {
    start();
    const parent = fork(PARENT, [JSON.stringify({ settings, entry: ENTRY })], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const [pid] = (await once(parent, 'message')) as [number];
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await eventually(() => !isRunning(pid), 'the engine ends');
    expect((await readdir(settings.lake.tempDir)).filter((name) => name.startsWith(`${pid}-`))).toEqual([]);
  });

  it('fails running and waiting reports', async () => {
    start({ engines: 1 });
    await run('a', ['ok']);
    const reports = Promise.allSettled([run('a', ['heavy']), run('b', ['ok'])]);
    await eventually(async () => (await metric('attune_reports_waiting')) === 1, 'one waits');
    await engines.close();
    for (const { status } of await reports) expect(status).toBe('rejected');
    expect(await metric('attune_report_engine_deaths_total')).toBe(0);
  });

  it('before the first engine starts prevents any start', async () => {
    const before = children.length;
    start();
    await engines.close();
    await sweepWorkDir(settings.lake.tempDir);
    await setImmediate();
    expect(children.slice(before).map(({ pid, exitCode, signalCode }) => [pid, exitCode ?? signalCode])).toEqual([]);
  });

  it('of the longest possible report is bounded, even if it waits and two engines in turn start but do not obey', () => {
    start({ seconds: 5, sampleSeconds: 7 }, { waitMs: 11_000 });
    expect(engines.longestSeconds).toBeGreaterThanOrEqual(
      11 + (OPEN_MS + INTERRUPT_GRACE_MS) / 1000 + 5 + (OPEN_MS + INTERRUPT_GRACE_MS) / 1000 + 7,
    );
  });
});
