/** What answers requests for output in an API process. */
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { Logger } from '../../process/logger.ts';
import { createCursors } from './cursors.ts';
import { createFallbackLists } from './fallbackLists.ts';
import { createOutputMetrics } from './metrics.ts';
import { createSelectionClient, type SelectionClientSettings } from './selectionClient.ts';
import type { OutputDeps } from './serve.ts';
import { createSnapshotWriter } from './snapshotWriter.ts';

export interface Output extends OutputDeps {
  /** Stores the snapshots that wait, and ends the connections to selection. */
  close(): Promise<void>;
}

export interface OutputSettings extends SelectionClientSettings {
  /** The derived key `output-cursors` (domain/secretKeys.ts). */
  cursorKey: Buffer;
}

export function createOutput(
  pool: pg.Pool,
  { cursorKey, ...settings }: OutputSettings,
  { logger, registry }: { logger: Logger; registry: Registry },
): Output {
  const selection = createSelectionClient(settings);
  const snapshots = createSnapshotWriter(pool, logger);
  return {
    pool,
    selection,
    cursors: createCursors(cursorKey),
    snapshots,
    metrics: createOutputMetrics(registry),
    fallback: createFallbackLists(pool),
    async close() {
      await Promise.all([selection.close(), snapshots.close()]);
    },
  };
}
