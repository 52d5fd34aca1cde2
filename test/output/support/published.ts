/** Publishes models as training does. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { storeCompanions } from '../../../db/training/companions.ts';
import { recordReadEvents, recordSettings, openTraining, publishModel } from '../../../db/training/models.ts';
import { modelBlobKey } from '../../../domain/training/models.ts';
import { encodeModel } from '../../../output/models/modelFile.ts';
import { companionsOf } from '../../../output/training/companions.ts';
import type { modelOf } from './models.ts';
import type { OutputStage } from './outputStage.ts';

/**
 * @param forgotten the rows of output_forgotten that were current when the training read its data
 * @returns the model's id; it is used for ranking after `catalogues.followModels()` at the latest
 */
export async function publish(
  { api: { pool }, project, blobDir }: OutputStage,
  model: ReturnType<typeof modelOf>,
  forgotten: readonly string[] = [],
): Promise<string> {
  const opened = await openTraining(pool, { projectId: project.id, kind: 'full', requestId: null });
  if (!opened) throw new Error('another training is under way');
  const ref = { projectId: project.id, modelId: opened.id };
  const counts = { events: 1, items: model.ids.length, people: 1, rowsRead: 1, readAt: new Date() };
  await recordReadEvents(pool, ref, counts);
  await recordSettings(pool, ref, { settings: {}, quality: null });
  const blobs = createLocalBlobStore(blobDir);
  const file = join(blobDir, `${opened.id}.model`);
  await writeFile(file, encodeModel({ ...model, id: opened.id }));
  await blobs.putFile(modelBlobKey(project.id, opened.id), file);
  await storeCompanions(pool, project.id, companionsOf(model));
  await publishModel(pool, ref, { forgotten });
  return opened.id;
}
