/**
 * `npm run bench:isolation` measures how much two heavy reports of one site slow down the intake and a small report of
 * another site, with a real API, its engines and a real ingest. It uses the rows of `npm run bench:reports -- --hits
 * 10` (`--folder`, data/bench-reports-10), which are created when absent; hits that the intake stores remain there
 * under a separate site. `-- --brief` is a quick run that writes no figures.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openFolder, RESOURCES } from './reports/folder.ts';
import { measureIsolation } from './reports/isolation.ts';
import { startIsolationStage } from './reports/isolationStage.ts';
import { buildWorld } from './reports/world/build.ts';
import { planSites } from './reports/world/sitesAndPeriod.ts';
import { printFigures, report } from './support/report.ts';

const { values } = parseArgs({ options: { brief: { type: 'boolean', default: false }, folder: { type: 'string' } } });
const log = (line: string): void => console.error(line);
const sites = planSites(0);
const heavy = sites.middle.id;
const small = sites.all.find(({ id }) => id !== heavy)?.id ?? heavy;

const folder = await openFolder(
  resolve(values.folder ?? join(import.meta.dirname, '../../data/bench-reports-10')),
  log,
);
try {
  await folder.once('world', async () => {
    const lake = await folder.openLake(2 * RESOURCES.memoryMb);
    await buildWorld(lake, folder.pool, sites.all, log).finally(() => lake.close());
  });
  const stage = await startIsolationStage(folder, [heavy, small]);
  try {
    const figures = await measureIsolation(stage, { heavy, small, seconds: values.brief ? 10 : 60 });
    if (values.brief) printFigures(figures);
    else report('isolation', figures);
  } finally {
    await stage.close();
  }
} finally {
  await folder.close();
}
