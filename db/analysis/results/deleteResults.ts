/** Deletes the results of steps on items; those of media are deleted by ../mediumStatus.ts. */
import type pg from 'pg';
import { isMediaStep, type ItemStep } from '../../../domain/analysis/steps.ts';
import type { StepWork } from '../../../domain/jobs/workflowMessages.ts';
import type { AnalysedItem } from './fence.ts';
import { replacePictureVectors } from './pictureVectors.ts';
import { replaceChunks } from './searchChunks.ts';

/** The fields of the item that a deletion changes. */
type Changed = Partial<Pick<AnalysedItem, 'hasVectors'>>;

/** Deletes the results of a step. A moderation of the same revision stays, because it is a result in its own right. */
const DELETIONS: Record<ItemStep, (client: pg.PoolClient, work: StepWork) => Promise<Changed>> = {
  async summary(client, { projectId, itemId, revision }) {
    await client.query(
      `with moderation as (delete from item_moderations where project_id = $1 and item_id = $2 and revision < $3)
       delete from item_summaries where project_id = $1 and item_id = $2`,
      [projectId, itemId, revision],
    );
    return {};
  },
  async embedding(client, work) {
    await replaceChunks(client, work, [], '');
    await replacePictureVectors(client, work, [], '');
    return { hasVectors: false };
  },
};

/**
 * Deletes the results of earlier runs of a step that now ends without a result. Results of media are deleted medium by
 * medium (../mediumStatus.ts).
 * @returns the fields of the item that the deletion changes
 */
export async function deleteStepResults(client: pg.PoolClient, work: StepWork): Promise<Changed> {
  return isMediaStep(work.step) ? {} : await DELETIONS[work.step](client, work);
}
