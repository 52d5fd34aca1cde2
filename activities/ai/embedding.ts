/** Activity of the step embedding: computes an item's search chunks and their vectors. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { replacePictureVectors } from '../../db/analysis/results/pictureVectors.ts';
import { readEvidence, type Evidence } from '../../db/analysis/evidence.ts';
import { replaceChunks, type ChunkRow } from '../../db/analysis/results/searchChunks.ts';
import { completeStep, doneBy, startStep, type StepEnd } from '../../db/analysis/steps.ts';
import { together } from '../../db/pool.ts';
import {
  chunkFrames,
  chunkTextInSlices,
  chunkTranscript,
  isExtractive,
  type Chunk,
  type CaptionedFrame,
} from '../../domain/analysis/searchChunks.ts';
import { faultError } from '../../domain/items/errorCodes.ts';
import { plainTexts } from '../../domain/items/plainText.ts';
import { withWholeWords } from '../../domain/items/wholeWords.ts';
import type { StepResult, StepWork } from '../../domain/jobs/workflowMessages.ts';
import { ProviderError } from '../../providers/errors.ts';
import { withoutPictureModel } from '../../providers/setup/modelNames.ts';
import type { EmbeddingCapability } from '../../providers/types.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';
import { embedPictures, type EmbeddedPictures } from './pictures.ts';

export function createEmbeddingActivity(deps: AiActivityDeps) {
  return {
    /** @returns the item's steps, or null when the result was outdated */
    embedItem: (work: StepWork): Promise<StepResult> =>
      runWork(
        deps.logger,
        (context) => embedItem(deps, work, context),
        (fault) => completeStep(deps.pool, work, { state: 'failed', error: fault.error }),
      ),
  };
}

async function embedItem(deps: AiActivityDeps, work: StepWork, context: WorkContext): Promise<StepResult> {
  if (!(await startStep(deps.pool, work))) return null;
  const evidence = await readEvidence(deps.pool, work);
  if (!evidence) return null;
  const { outcome, write } = await computeEmbedding(deps, work, evidence, context);
  return completeStep(deps.pool, work, outcome, write);
}

/** Does the work of the step without storing its result. */
export async function computeEmbedding(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
): Promise<StepEnd> {
  const without = (outcome: StepEnd['outcome']): StepEnd => ({ work, outcome, write: async () => {} });
  const { embedding } = deps.providers;
  if (!embedding) return without({ state: 'skipped', error: faultError('no_embedding_provider') });
  const chunks = await chunksOf(evidence);
  const pictures = await embedPictures(deps, work, { ...evidence, hasWords: chunks.length > 0 }, context);
  if (chunks.length + pictures.rows.length === 0) return without({ state: 'failed', error: faultError('no_content') });
  return embed(deps, work, embedding, { chunks, pictures }, context);
}

async function embed(
  deps: AiActivityDeps,
  work: StepWork,
  embedding: EmbeddingCapability,
  { chunks, pictures }: { chunks: Chunk[]; pictures: EmbeddedPictures },
  context: WorkContext,
): Promise<StepEnd> {
  const texts = [...chunks.map(({ vectorText }) => vectorText), ...chunks.map(frameText)].filter(
    (text) => text !== null,
  );
  const vectors = await embedDistinct(deps, work, embedding, texts, context);
  const vectorOf = (text: string | null): Float32Array | null => (text === null ? null : (vectors.get(text) ?? null));
  const rows = chunks.map((chunk): ChunkRow => ({
    ...chunk,
    vector: vectorOf(chunk.vectorText),
    frameVector: vectorOf(frameText(chunk)),
  }));
  const pictureModel = deps.providers.pictures?.model ?? '';
  const model = deps.models.embedding;
  return {
    work,
    outcome: { ...doneBy(pictures.isComplete ? model : withoutPictureModel(model, pictureModel)), hasVectors: true },
    async write(client) {
      await together([
        replaceChunks(client, work, rows, embedding.model),
        replacePictureVectors(client, work, pictures.rows, pictureModel),
      ]);
    },
  };
}

function frameText({ isShared, text }: Chunk): string | null {
  return isShared ? text : null;
}

/** Returns vectors by text. */
async function embedDistinct(
  deps: AiActivityDeps,
  work: StepWork,
  embedding: EmbeddingCapability,
  texts: readonly string[],
  context: WorkContext,
): Promise<Map<string, Float32Array>> {
  const distinct = [...new Set(texts)];
  const vectors = await embedTexts(deps, work, embedding, distinct, context);
  return new Map(vectors.map((vector, at) => [distinct[at] ?? '', vector]));
}

/** Returns a vector for each text. */
async function embedTexts(
  deps: AiActivityDeps,
  work: StepWork,
  embedding: EmbeddingCapability,
  texts: readonly string[],
  context: WorkContext,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += embedding.batchSize) {
    const batch = texts.slice(start, start + embedding.batchSize);
    const { value } = await callProvider(deps, work, context, embedding, batch, { capability: 'embedding' });
    for (const index of batch.keys()) vectors.push(vectorAt(value, index, vectors[0]?.length));
    context.progress();
  }
  return vectors;
}

/** Checks a vector: one that is not comparable with the others would spoil the item's rank in search. */
function vectorAt(vectors: readonly Float32Array[], index: number, dimension: number | undefined): Float32Array {
  const vector = vectors[index];
  if (!vector) throw badAnswer('fewer vectors than texts');
  if (vector.length === 0 || vector.length !== (dimension ?? vector.length))
    throw badAnswer('vectors of different dimensions');
  if (!vector.every(Number.isFinite)) throw badAnswer('a vector contains something other than numbers');
  return vector;
}

function badAnswer(message: string): ProviderError {
  return new ProviderError('retryable', 'provider_bad_answer', message);
}

/**
 * Returns chunks of the item's own text first, then its chapter titles, speech, pictures and the summary. The summary
 * is left out when it consists of sentences of the text, because the text is already there.
 */
async function chunksOf(evidence: Evidence): Promise<Chunk[]> {
  const { title, description, body } = plainTexts(evidence);
  const { chapters, transcripts, frames, summary } = evidence;
  const own = [title, description, body].filter((text) => text?.trim()).join('\n');
  return [
    ...(await chunkPatiently(own)),
    ...chapters.map(({ mediumId, start, end, title }) => ({
      mediumId,
      startSec: start,
      endSec: end,
      text: title,
      vectorText: title,
    })),
    ...transcripts.flatMap((transcript) => chunkTranscript(transcript.mediumId, transcript.segments)),
    ...chunkSeen(frames),
    // The built-in summary writes hyphens and marks in its own way.
    ...(summary && !isExtractive(withWholeWords(summary), withWholeWords(own)) ? await chunkPatiently(summary) : []),
  ];
}

/** Returns the chunks of each medium in turn; a picture with the same text as the previous one adds nothing. */
function chunkSeen(frames: Evidence['frames']): Chunk[] {
  return [...Map.groupBy(frames, (frame) => frame.mediumId)].flatMap(([mediumId, ofMedium]) => {
    const seen: CaptionedFrame[] = [];
    for (const { ts, description, ocrText } of ofMedium) {
      const text = [description, ocrText].filter((part) => part?.trim()).join('\n');
      if (text !== '' && seen.at(-1)?.text !== text) seen.push({ ts, text });
    }
    const isStill = ofMedium.length === 1 && ofMedium[0]?.kind === 'image';
    return chunkFrames(mediumId, isStill, seen);
  });
}

/** Pauses between pieces, so that the process's other activities get their turn. */
async function chunkPatiently(text: string): Promise<Chunk[]> {
  const work = chunkTextInSlices(text);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}
