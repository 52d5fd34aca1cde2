/** Answers output requests in an API process. */
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { readRequestData } from '../../db/output/readBeforeRanking.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createCursors } from './request/cursors.ts';
import { createFallbackLists } from './candidates/fallbackLists.ts';
import { createOutputMetrics } from './metrics.ts';
import { createPageTurns } from './page/pageTurns.ts';
import { createSelectionClient, type SelectionClientSettings } from './candidates/selectionClient.ts';
import type { OutputDeps } from './serveOutput.ts';
import { createSnapshotWriter } from './snapshots/snapshotWriter.ts';

export interface Output extends OutputDeps {
  /** Stores the pending snapshots, and closes the connections to selection. */
  close(): Promise<void>;
}

export interface OutputSettings extends SelectionClientSettings {
  /** The derived key `output-cursors` (domain/accounts/secretKeys.ts). */
  cursorKey: Buffer;
}

const SEEDS = 2 ** 31;

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
    turns: createPageTurns(),
    begin: (projectId, wanted) => readRequestData(pool, projectId, wanted),
    metrics: createOutputMetrics(registry),
    drawSeed: () => randomInt(SEEDS),
    fallback: createFallbackLists(pool),
    async close() {
      await Promise.all([selection.close(), snapshots.close()]);
    },
  };
}
