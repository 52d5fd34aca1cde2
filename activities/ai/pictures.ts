/** Computes the vectors of an item's pictures, as a part of the step embedding, beside those of its texts. */
import type { Evidence } from '../../db/analysis/evidence.ts';
import type { PictureVectorRow } from '../../db/analysis/results/pictureVectors.ts';
import { PATIENT_DEFERRALS } from '../../domain/analysis/deferral.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import { isSettingsFault, ProviderError } from '../../providers/errors.ts';
import type { PictureEmbedding } from '../../providers/types.ts';
import { faultOf } from '../analysisFaults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';

/**
 * Maximum number of pictures of an item, spread over it. It bounds the memory of searches and the cost of a paid
 * server.
 */
const MAX_PICTURES = 16;
/** After so many refused pictures and none with a vector, the server accepts no pictures at all. */
const MAX_REFUSED = 2;

type Pictures = Evidence['pictures'];

export interface EmbeddedPictures {
  rows: PictureVectorRow[];
  /** False when a temporary fault of the server left pictures without vectors. */
  isComplete: boolean;
}

/**
 * @param evidence `hasWords`: whether the item has vectors without its pictures
 * @returns all vectors, or none without a provider. When the fault is permanent, or waiting did not help, only the
 * vectors that were made before it
 * @throws the provider's fault while it is worth waiting, and always when there are neither words nor vectors, so that
 * the step is deferred and ends like one whose texts cannot be embedded
 */
export async function embedPictures(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Pick<Evidence, 'pictures' | 'deferrals'> & { hasWords: boolean },
  context: WorkContext,
): Promise<EmbeddedPictures> {
  const { pictures } = evidence;
  const { pictures: embedder } = deps.providers;
  if (!embedder || pictures.length === 0) return { rows: [], isComplete: true };
  const rows: PictureVectorRow[] = [];
  try {
    await embedAll(deps, work, { embedder, pictures: spread(pictures), rows }, context);
    return { rows, isComplete: true };
  } catch (error) {
    const { kind, error: fault } = faultOf(error);
    const isWorthWaiting =
      kind !== 'permanent' && !isSettingsFault(fault.code) && evidence.deferrals.embedding < PATIENT_DEFERRALS;
    const isNothing = !evidence.hasWords && rows.length === 0;
    if (context.signal.aborted || kind === 'interrupted' || isWorthWaiting || isNothing) throw error;
    deps.logger.warn(
      { ...currentLogFields(), fault: fault.code, model: embedder.model, vectors: rows.length },
      'stored without pictures',
    );
    return { rows, isComplete: kind === 'permanent' };
  }
}

/** Adds the vectors of the pictures to `rows`, so that those of earlier batches outlast the failure of a later one. */
async function embedAll(
  deps: AiActivityDeps,
  work: StepWork,
  { embedder, pictures, rows }: { embedder: PictureEmbedding; pictures: Pictures; rows: PictureVectorRow[] },
  context: WorkContext,
): Promise<void> {
  let refused = 0;

  async function embed(batch: Pictures): Promise<void> {
    const paths = batch.map(({ blobKey }) => blobKey);
    const { value } = await deps.blobs.withLocalFiles(paths, (files) => {
      const named = batch.map(({ mediumId, ts }, at) => ({ id: `${mediumId}:${ts}`, path: files[at] ?? '' }));
      return callProvider(deps, work, context, embedder, named, { capability: 'pictures' });
    });
    rows.push(...batch.map(({ mediumId, ts }, at) => ({ mediumId, ts, vector: vectorAt(value, at, rows[0]) })));
    context.progress();
  }

  /** Halves a batch that is refused, so that one picture does not lose the others. */
  async function embedWithoutRefused(batch: Pictures): Promise<void> {
    try {
      await embed(batch);
    } catch (error) {
      if (faultOf(error).kind !== 'permanent') throw error;
      if (batch.length === 1) {
        refused += 1;
        if (rows.length === 0 && (refused === MAX_REFUSED || pictures.length === 1)) throw error;
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await embedWithoutRefused(batch.slice(0, half));
      await embedWithoutRefused(batch.slice(half));
    }
  }

  for (let start = 0; start < pictures.length; start += embedder.batchSize)
    await embedWithoutRefused(pictures.slice(start, start + embedder.batchSize));
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
