/**
 * A process with the ingest, which kills itself when it passes a point for the n-th time. Argument: JSON of
 * {settings: IngestSettings, point: FaultPoint | null, after: number}.
 */
import { Registry } from 'prom-client';
import type { FaultPoint } from '../../../../loops/ingest/ingestBatch.ts';
import { startIngest, type IngestSettings } from '../../../../loops/ingest/ingest.ts';
import { createLogger } from '../../../../platform/process/logger.ts';

export interface ChildOrder {
  settings: IngestSettings;
  point: FaultPoint | null;
  after: number;
}

const { settings, point, after } = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;
let passed = 0;
await startIngest(settings, createLogger('ingest', 'silent'), new Registry(), (reached) => {
  if (reached !== point) return;
  passed += 1;
  if (passed === after) process.kill(process.pid, 'SIGKILL');
});
process.send?.({ type: 'ready' });
