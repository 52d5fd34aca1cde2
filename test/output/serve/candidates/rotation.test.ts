import { describe, expect, it } from '@jest/globals';
import { insertSnapshots, type OutputSnapshot } from '../../../../db/output/snapshots.ts';
import { readLowered } from '../../../../output/serve/candidates/rotation.ts';
import { createSnapshotWriter } from '../../../../output/serve/snapshots/snapshotWriter.ts';
import { createLogger } from '../../../../platform/process/logger.ts';
import { identityOf } from '../../../support/people/people.ts';
import { stageOutput } from '../../support/outputStage.ts';

const stage = stageOutput({ deadlineMs: 0 });
const PER_PAGE = 100;

describe('the items that are moved down', () => {
  // proves: output-request/rotation_hours
  it('are the last thousand shown within the requested hours, including those of a page that is not stored yet', async () => {
    const { pool } = stage.database;
    const projectId = stage.project.id;
    const identityId = await identityOf({ pool, projectId }, 'user', 'u-1');
    const pageOf = (hoursAgo: number): OutputSnapshot => ({
      projectId,
      id: `answer-${hoursAgo}`,
      page: 0,
      path: 'feed',
      identityId,
      surface: null,
      mode: 'personal',
      model: null,
      variant: null,
      lot: null,
      itemIds: Array.from({ length: PER_PAGE }, (_, at) => `i-${hoursAgo}-${at}`),
      scores: Array.from({ length: PER_PAGE }, () => 1),
      reasons: Array.from({ length: PER_PAGE }, () => ({ code: 'new' as const })),
      firstPosition: 0,
      hasNext: true,
      propensities: null,
      latencyMs: 1,
      createdAt: new Date(Date.now() - hoursAgo * 3_600_000),
    });
    await insertSnapshots(
      pool,
      Array.from({ length: 12 }, (_, hours) => pageOf(hours + 1)),
    );
    const writer = createSnapshotWriter(pool, createLogger('test', 'silent'));
    writer.add(pageOf(0));
    const person = { memberIds: [identityId], personalization: true };
    const loweredWithin = (rotationHours: number) =>
      readLowered(pool, writer, { projectId, rotationHours, position: null }, person);
    const [lowered, ofThreeHours] = [await loweredWithin(24), await loweredWithin(3)];
    await writer.close();
    const shownWithin = (hours: number) => Array.from({ length: hours }, (_, ago) => pageOf(ago).itemIds).flat();
    expect(lowered).toEqual(shownWithin(10).map((id) => [id, 0.5]));
    expect(ofThreeHours).toEqual(shownWithin(3).map((id) => [id, 0.5]));
  });
});
