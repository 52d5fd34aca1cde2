/** Computes the vectors of an item's pictures, as a part of the step embedding, beside those of its texts. */
import { Context } from '@temporalio/activity';
import type { Evidence } from '../../db/analysis/evidence.ts';
import type { PictureVectorRow } from '../../db/analysis/pictureVectors.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import { ProviderError } from '../../providers/errors.ts';
import type { PictureEmbedding } from '../../providers/types.ts';
import { faultOf } from '../faults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';

/** Maximum per item, spread over it. It bounds the memory of searches and the cost of a paid server. */
const MAX_PICTURES = 16;
/** Number of attempts that wait for a server that is unavailable for a moment. */
const PATIENT_ATTEMPTS = 2;

type Pictures = Evidence['pictures'];

/**
 * @returns an empty list without a provider, and when it refuses or stays unavailable; the item's texts are embedded
 * all the same
 * @throws when the provider is unavailable for a moment
 */
export async function embedPictures(
  deps: AiActivityDeps,
  work: StepWork,
  { pictures }: Pick<Evidence, 'pictures'>,
  context: WorkContext,
): Promise<PictureVectorRow[]> {
  const { pictures: embedder } = deps.providers;
  if (!embedder || pictures.length === 0) return [];
  try {
    return await embedAll(deps, work, { embedder, pictures: spread(pictures) }, context);
  } catch (error) {
    const { kind, error: fault } = faultOf(error);
    const isWorthWaiting = kind === 'temporary' && Context.current().info.attempt <= PATIENT_ATTEMPTS;
    if (context.signal.aborted || kind === 'interrupted' || isWorthWaiting) throw error;
    deps.logger.warn({ ...currentLogFields(), fault: fault.code, model: embedder.model }, 'stored without pictures');
    return [];
  }
}

async function embedAll(
  deps: AiActivityDeps,
  work: StepWork,
  { embedder, pictures }: { embedder: PictureEmbedding; pictures: Pictures },
  context: WorkContext,
): Promise<PictureVectorRow[]> {
  const rows: PictureVectorRow[] = [];
  for (let start = 0; start < pictures.length; start += embedder.batchSize) {
    const batch = pictures.slice(start, start + embedder.batchSize);
    const { value } = await deps.blobs.withLocalFiles(
      batch.map(({ blobKey }) => blobKey),
      (paths) =>
        callProvider(
          deps,
          work,
          context,
          embedder,
          batch.map(({ mediumId, ts }, at) => ({ id: `${mediumId}:${ts}`, path: paths[at] ?? '' })),
          { capability: 'pictures' },
        ),
    );
    rows.push(...batch.map(({ mediumId, ts }, at) => ({ mediumId, ts, vector: vectorAt(value, at, rows[0]) })));
    context.progress();
  }
  return rows;
}

/** Checks a vector: one that is not comparable with the others is never stored. */
function vectorAt(vectors: readonly Float32Array[], at: number, first: PictureVectorRow | undefined): Float32Array {
  const vector = vectors[at];
  if (!vector || vector.length !== (first?.vector.length ?? vector.length))
    throw new ProviderError('retryable', 'provider_bad_answer', 'the vectors do not match the pictures');
  return vector;
}

/** Selects pictures at even intervals, including the first. */
function spread(pictures: Pictures): Pictures {
  const every = Math.max(1, Math.ceil(pictures.length / MAX_PICTURES));
  return pictures.filter((_, at) => at % every === 0);
}
