/** The product's report engines, configured as in the API, on the prepared folder. */
import { join } from 'node:path';
import { pino } from 'pino';
import { createReportEngines } from '../../../reports/engines/index.ts';
import type { Report, ReportRequest, ReportSite } from '../../../reports/reportRequest.ts';
import type { BenchFolder } from './folder.ts';

/** Long, so that a report that takes over half a minute is measured in full, and not on a sample. */
const SECONDS = 300;

export interface Reports {
  run(request: ReportRequest, site: ReportSite): Promise<Report>;
  close(): Promise<void>;
}

export function openReports({ lakeSettings, path }: BenchFolder): Reports {
  const lake = { ...lakeSettings, tempDir: join(path, 'temp', 'engines') };
  const engines = createReportEngines(
    { lake, engines: 1, seconds: SECONDS, sampleSeconds: SECONDS, lateEventHours: 24, audienceMinPeople: 1 },
    pino({ level: 'warn' }),
  );
  return { run: (request, site) => engines.run(request, site, { language: 'en' }), close: () => engines.close() };
}
