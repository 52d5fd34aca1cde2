/** Opens the trainings of all projects that are due; each is a separate workflow (trainProject). */
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { TrainingRoundChunk } from '../activities/data/trainings.ts';
import type { TrainingRound } from '../domain/training/dueTraining.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

/** @returns the number of projects that were checked, and of those whose training was opened */
export async function startTrainings(round: TrainingRound): Promise<{ seen: number; opened: number }> {
  const sum = { seen: 0, opened: 0 };
  for (let after: string | null = ''; after !== null;) {
    const chunk: TrainingRoundChunk = await data.openTrainings(round, after);
    sum.seen += chunk.seen;
    sum.opened += chunk.opened;
    after = chunk.last;
    setCurrentDetails(`${sum.seen} projects checked, ${sum.opened} trainings opened`);
  }
  return sum;
}
