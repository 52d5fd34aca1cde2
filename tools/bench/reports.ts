/**
 * `npm run bench:reports` runs twenty reports over thirteen months of 10 and of 50 million hits with the product,
 * ClickHouse's engine and PostgreSQL, and requires equal results. The rows are created once and kept in `--folder`
 * (data/bench-reports).
 *
 * `-- --hits 10` skips the large site; `-- --only paths` runs the questions whose names contain the word; `-- --engines
 * duckdb` skips the other engines (duckdb, clickhouse, postgres); such runs write no figures.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { clickHouseEngine, ENGINE_NAMES, ourEngine, postgresEngine, type Engine } from './reports/engines.ts';
import { figuresOf, growth, printTimes, type Measured } from './reports/figures.ts';
import { firstReport } from './reports/firstReport.ts';
import { openFolder, RESOURCES, type BenchFolder } from './reports/folder.ts';
import { measure } from './reports/measure.ts';
import { openReports } from './reports/product.ts';
import { exportAudience } from './reports/rivals/exportAudience.ts';
import { openClickHouse, type ClickHouse } from './reports/rivals/clickhouse.ts';
import { loadClickHouse } from './reports/rivals/clickhouseTables.ts';
import { loadPostgres } from './reports/rivals/postgresTables.ts';
import { SUITE, type Case } from './reports/suite/index.ts';
import { buildWorld } from './reports/world/build.ts';
import { planSites, type WorldSite } from './reports/world/sitesAndPeriod.ts';
import { printFigures, report, type Figure } from './support/report.ts';

const { values } = parseArgs({
  options: {
    hits: { type: 'string', default: '50' },
    only: { type: 'string', multiple: true },
    engines: { type: 'string', default: ENGINE_NAMES.join(',') },
    folder: { type: 'string' },
  },
});
const isLarge = values.hits === '50';
const asked = new Set(values.engines.split(','));
const questions = SUITE.filter(({ name }) => values.only?.some((part) => name.includes(part)) ?? true);
const sites = planSites(isLarge ? 50 : 0);
const path = resolve(
  values.folder ?? join(import.meta.dirname, '../../data', isLarge ? 'bench-reports' : 'bench-reports-10'),
);
const log = (line: string): void => console.error(line);

/** Prepares the folder: existing data is kept; the rivals' tables are loaded when they are first needed. */
async function prepare(folder: BenchFolder, clickhouse: ClickHouse | null): Promise<void> {
  const lake = await folder.openLake(2 * RESOURCES.memoryMb);
  try {
    await folder.once('world', () => buildWorld(lake, folder.pool, sites.all, log));
    const audience = join(path, 'audience.parquet');
    await folder.once('audience', () =>
      exportAudience(
        lake,
        sites.all.map(({ id }) => id),
        audience,
      ),
    );
    if (clickhouse) await folder.once('clickhouse', () => loadClickHouse(clickhouse, lake, path, audience));
    // The large site is left out: PostgreSQL would take most of an hour to load its fifty million rows.
    if (asked.has('postgres'))
      await folder.once('postgres-tables', () =>
        loadPostgres(
          folder.rivalUrl,
          lake,
          sites.all.filter(({ id }) => id !== sites.large?.id).map(({ id }) => id),
          audience,
        ),
      );
  } finally {
    await lake.close();
  }
}

async function ask(site: WorldSite, engines: readonly Engine[], cases: readonly Case[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const question of cases) {
    const times = await measure(question, site.id, engines);
    log(
      `${question.name}: ${Object.entries(times)
        .map(([engine, ms]) => `${engine} ${ms.toFixed(0)} ms`)
        .join(', ')}`,
    );
    measured.push({ question: question.name, times });
  }
  return measured;
}

async function measureAll(folder: BenchFolder, clickhouse: ClickHouse | null): Promise<Figure[]> {
  const figures = asked.has('duckdb') ? await firstReport(folder, sites.middle.id) : [];
  const product = openReports(folder);
  const client = new pg.Client({ connectionString: folder.rivalUrl });
  await client.connect();
  try {
    const engines = [
      ourEngine(product.run),
      ...(clickhouse ? [await clickHouseEngine(clickhouse, RESOURCES)] : []),
    ].filter(({ name }) => asked.has(name));
    const middle = await ask(
      sites.middle,
      asked.has('postgres') ? [...engines, postgresEngine(client)] : engines,
      questions,
    );
    const large = sites.large ? await ask(sites.large, engines, questions) : [];
    printTimes('10 million hits', middle);
    if (large.length > 0) printTimes('50 million hits', large);
    return [
      ...figures,
      ...figuresOf('10 million hits', middle, true),
      ...(large.length > 0 ? figuresOf('50 million hits', large, false) : []),
      ...growth(middle, large),
    ];
  } finally {
    await client.end();
    await product.close();
  }
}

const folder = await openFolder(path, log);
const clickhouse = asked.has('clickhouse') ? await openClickHouse(path, log) : null;
try {
  await prepare(folder, clickhouse);
  const figures = await measureAll(folder, clickhouse);
  if (isLarge && questions.length === SUITE.length && asked.size === ENGINE_NAMES.length) report('reports', figures);
  else printFigures(figures.filter(({ aim }) => aim !== null));
} finally {
  await clickhouse?.close();
  await folder.close();
}
