/** Removes the results of steps on items; those of media are removed by ../media.ts. */
import type pg from 'pg';
import { isMediaStep, type ItemStep } from '../../../domain/analysis/steps.ts';
import type { StepWork } from '../../../domain/jobs/workflowMessages.ts';
import type { AnalysedItem } from './fence.ts';
import { replacePictureVectors } from './pictureVectors.ts';
import { replaceChunks } from './searchChunks.ts';

/** The fields of the item that a removal changes. */
type Removed = Partial<Pick<AnalysedItem, 'hasVectors'>>;

/** Removes the results of a step. A moderation of the same revision stays, because it is a result in its own right. */
const REMOVALS: Record<ItemStep, (client: pg.PoolClient, work: StepWork) => Promise<Removed>> = {
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
 * Removes the results of earlier runs of a step that now ends without a result. Results of media are removed medium by
 * medium (../media.ts).
 * @returns the fields of the item that the removal changes
 */
export async function removeResults(client: pg.PoolClient, work: StepWork): Promise<Removed> {
  return isMediaStep(work.step) ? {} : await REMOVALS[work.step](client, work);
}
