/** Activities of the round that finds the projects due for training. */
import type pg from 'pg';
import { openTraining } from '../../db/training/models.ts';
import { endRound, listTrainableProjects, readTrainingState } from '../../db/training/trainableProjects.ts';
import { dueTraining, type TrainingRound } from '../../domain/training/dueTraining.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { Pace } from '../../platform/process/concurrency/pace.ts';
import { runChunk } from '../runChunk.ts';

/**
 * Projects per activity. Counting a project's events takes PostgreSQL some 100 ms per million, and the pauses take as
 * long again: ten projects of ten million events fit into the activity's two minutes.
 */
const CHUNK = 10;
const REST_FACTOR = 1;
/** PostgreSQL ends a transaction that is idle for 30 s (db/pool.ts). */
const MAX_REST_MS = 5_000;

export interface TrainingRoundChunk {
  seen: number;
  opened: number;
  /** The project after which the next chunk starts; null at the end. */
  last: string | null;
}

export function createTrainingRoundActivities({ pool, logger }: { pool: pg.Pool; logger: Logger }) {
  return {
    /** Starts the due trainings of the next projects. */
    openTrainings: (round: TrainingRound, after: string): Promise<TrainingRoundChunk> =>
      runChunk(logger, async () => {
        const projectIds = await listTrainableProjects(pool, after, CHUNK);
        const pace = new Pace(REST_FACTOR, { maxRestMs: MAX_REST_MS });
        let opened = 0;
        for (const projectId of projectIds) {
          const kind = dueTraining(round, await readTrainingState(pool, projectId, pace));
          if (kind !== null && (await openTraining(pool, { projectId, kind, requestId: null }))) opened += 1;
        }
        const last = projectIds.length < CHUNK ? null : (projectIds.at(-1) ?? null);
        if (last === null) await endRound(pool, round);
        return { seen: projectIds.length, opened, last };
      }),
  };
}
