/** Real report engines over the lake of a test. */
import { join } from 'node:path';
import { createLogger } from '../../../platform/process/logger.ts';
import { createReportEngines, type ReportEngines } from '../../../reports/engines/index.ts';
import type { LakeSettings } from '../../../reports/lake/lakeSettings.ts';

/** Longer than a test's report takes on any machine. */
const SECONDS = 120;

/** Creates engines; close them before the lake. */
export function createTestEngines(lake: LakeSettings): ReportEngines {
  const settings = {
    lake: { ...lake, tempDir: join(lake.tempDir, 'engines'), memoryMb: 256, threads: 1 },
    engines: 2,
    seconds: SECONDS,
    sampleSeconds: SECONDS,
    lateEventHours: 24,
    audienceMinPeople: 1,
  };
  return createReportEngines(settings, createLogger('test', 'silent'));
}
