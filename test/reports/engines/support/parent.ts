/**
 * A process with one engine that runs an endless report; it sends the engine's process id to its parent. Argument: JSON
 * of {settings, entry}.
 */
import { createLogger } from '../../../../platform/process/logger.ts';
import { createReportEngines, type ReportSettings } from '../../../../reports/engines/index.ts';

const { settings, entry } = JSON.parse(process.argv[2] ?? '{}') as { settings: ReportSettings; entry: string };
const engines = createReportEngines(settings, createLogger('test', 'silent'), { entry });
const site = { siteId: 'a', timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] };
const request = {
  dimensions: [],
  date_from: '2026-03-15',
  date_to: '2026-03-15',
  filters: [],
  segment: null,
  attribution: 'last',
  robots: 'exclude',
  sort: [],
  limit: 1,
  offset: 0,
} as const;
const { totals } = await engines.run({ ...request, metrics: ['ok'] }, site, { language: 'en' });
void engines.run({ ...request, metrics: ['heavy'] }, site, { language: 'en' }).catch(() => {});
process.send?.(totals[0]);
