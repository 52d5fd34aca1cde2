/** The selection process: catalogues in memory that follow their projects, and a listener for the API. */
import { createPool } from '../../db/pool.ts';
import type { RunningProcess } from '../../process/lifecycle.ts';
import type { Logger } from '../../process/logger.ts';
import { listen } from '../../process/metrics.ts';
import { repeat } from '../../process/repeat.ts';
import type { Registry } from 'prom-client';
import { Catalogues } from './catalogues.ts';
import { createSelectionMetrics } from './metrics.ts';
import { createSelectionServer } from './server.ts';

const POOL_SIZE = 4;
/** How far behind its project a catalogue may be; what is shown is judged by the tables, whatever it says. */
const FOLLOW_MS = 500;

export interface SelectionSettings {
  databaseUrl: string;
  host: string;
  /** 0: any free one, for tests. */
  port: number;
  /** Memory of all catalogues together, MB. */
  catalogueMb: number;
}

export interface RunningSelection extends RunningProcess {
  port: number;
  catalogues: Catalogues;
}

/** @throws {StartError} when the port is taken */
export async function startSelection(
  { databaseUrl, host, port, catalogueMb }: SelectionSettings,
  logger: Logger,
  registry: Registry,
): Promise<RunningSelection> {
  const pool = createPool({ databaseUrl, size: POOL_SIZE, applicationName: 'attune-selection', looksUpByIndex: true });
  const catalogues = new Catalogues({ pool, logger, budgetBytes: catalogueMb * 2 ** 20 });
  const onAnswer = createSelectionMetrics(registry, () => catalogues.sizes());
  const server = createSelectionServer({ catalogues, logger, onAnswer });
  await listen(server, { host, port, setting: 'SELECTION_PORT', exclusive: true });
  const following = repeat(FOLLOW_MS, logger, 'following the catalogues', () => catalogues.followAll());
  const address = server.address();
  return {
    catalogues,
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      await Promise.all([catalogues.close(), following.close()]);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      await pool.end();
    },
  };
}
