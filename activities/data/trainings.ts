/** Activities of the round that finds the projects due for training. */
import type pg from 'pg';
import { openTraining } from '../../db/training/models.ts';
import { endRound, listTrainableProjects, readTrainingState } from '../../db/training/trainableProjects.ts';
import { dueTraining, type TrainingRound } from '../../domain/training/dueTraining.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { runChunk } from '../runChunk.ts';

/** Projects per activity; the events of each are counted. */
const CHUNK = 50;

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
        let opened = 0;
        for (const projectId of projectIds) {
          const kind = dueTraining(round, await readTrainingState(pool, projectId));
          if (kind !== null && (await openTraining(pool, { projectId, kind, requestId: null }))) opened += 1;
        }
        const last = projectIds.length < CHUNK ? null : (projectIds.at(-1) ?? null);
        if (last === null) await endRound(pool, round);
        return { seen: projectIds.length, opened, last };
      }),
  };
}
