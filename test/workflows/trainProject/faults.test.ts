import { readdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { Solver } from '../../../activities/training/solver.ts';
import { openTraining } from '../../../db/training/models.ts';
import { readTrainings } from '../../../db/training/trainingGauges.ts';
import { BlobStoreError } from '../../../platform/blobs/createBlobStore.ts';
import { plantEvents, plantProject } from '../../output/support/plantedProject.ts';
import { publishedFile } from '../../output/support/trainedModels.ts';
import { relayOnce } from '../../support/items/analysis.ts';
import { openJobs } from '../../support/people/people.ts';
import { keepHistory } from '../../support/workflows/replay.ts';
import { found, PLANTING, stageTrainings, type Activities } from './trainingStage.ts';

const stage = stageTrainings();

/** Retries of the first step follow each other without a pause. */
const withoutPauses = (activities: Activities): Activities => ({
  ...activities,
  readEvents: (ref) =>
    activities.readEvents(ref).catch((error: unknown) => {
      if (!(error instanceof ApplicationFailure)) throw error;
      const { message, type, nonRetryable } = error;
      throw ApplicationFailure.create({
        message,
        type: type ?? '',
        nonRetryable: nonRetryable === true,
        nextRetryDelay: '1 ms',
      });
    }),
});

describe('trainProject', () => {
  it('does not solve again the columns of an attempt whose answer was lost', async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    let solved = 0;
    const asked: string[] = [];
    const observed: Solver = {
      ...stage.solver,
      ask: async (question, signal) => {
        asked.push(question.step);
        return stage.solver.ask(question, signal);
      },
    };
    await stage.start(
      (activities) => ({
        ...activities,
        solveColumns: async (...args) => {
          await activities.solveColumns(...args);
          solved += 1;
          if (solved === 1) throw new Error('the worker was killed');
        },
      }),
      observed,
    );
    const model = await stage.train();
    expect(model.state).toBe('published');
    expect(solved).toBe(3);
    expect(asked.filter((step) => step === 'solve')).toHaveLength(2);
  });

  it('keeps the events that the first attempt has read, because another reading may number the items differently', async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    let read = 0;
    await stage.start((activities) => ({
      ...activities,
      readEvents: async (ref) => {
        const answer = await activities.readEvents(ref);
        read += 1;
        if (read > 1) return answer;
        await plantEvents(stage.pool, stage.projectId, [{ person: 1, item: 'after', occurredAt: Date.now() }]);
        throw new Error('the worker was killed');
      },
    }));
    await stage.train();
    expect(read).toBe(2);
    expect((await publishedFile(stage)).ids).not.toContain('after');
  });

  it('continues after a long outage and faults of its own', async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    const outage = new BlobStoreError('the store is away');
    const faults = [outage, outage, outage, outage, new Error('of the step'), outage, new Error('of the step')];
    await stage.start(withoutPauses, {
      ...stage.solver,
      ask: (question, signal) => {
        const fault = faults.shift();
        return fault ? Promise.reject(fault) : stage.solver.ask(question, signal);
      },
    });
    const model = await stage.train();
    expect([faults, model.state]).toEqual([[], 'published']);
  });

  // proves: output-cabinet/model
  it('is abandoned if a step fails repeatedly, and says so', async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    await stage.start(withoutPauses, { ...stage.solver, ask: () => Promise.reject(new Error('no memory')) });
    const opened = await openTraining(stage.pool, { projectId: stage.projectId, kind: 'full', requestId: null });
    await relayOnce(stage.pool, stage.temporal.client);
    const modelId = opened?.id ?? '';
    await expect(stage.handleOf(modelId).result()).rejects.toMatchObject({
      cause: { message: 'the training failed', cause: { cause: { message: 'internal: Error' } } },
    });
    expect(await found(stage, modelId)).toMatchObject({ state: 'failed', reason: 'internal' });
    expect(await openJobs(stage)).toEqual([]);
    await keepHistory('train-project-failed', stage.handleOf(modelId));
    const failed = async () => (await readTrainings(stage.pool)).failedProjects;
    expect(await failed()).toBe(1);
    // Operators see the failure until a training succeeds.
    await openTraining(stage.pool, { projectId: stage.projectId, kind: 'full', requestId: null });
    await stage.pool.query('delete from outbox where project_id = $1', [stage.projectId]);
    expect(await failed()).toBe(1);
  });
});

describe('the work folder', () => {
  it('is empty if nothing is in progress', async () => {
    expect(await readdir(stage.workDir)).toEqual([]);
  });
});
