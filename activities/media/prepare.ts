/** Activity of the step prepare: downloads one medium, decodes it and stores what the later steps need. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { announceBlobs } from '../../db/blobGarbage.ts';
import {
  endMediumStep,
  readMediumTodo,
  storePrepared,
  type PreparedMediumRow,
  type StoredMedium,
} from '../../db/analysis/mediaSteps.ts';
import { startStep } from '../../db/analysis/steps.ts';
import { authoredChaptersKey, attemptBlobFolder } from '../../domain/jobs/ids.ts';
import type { MediumWork } from '../../domain/jobs/workflowMessages.ts';
import type { GuardedAgent } from '../../platform/outgoing/connect.ts';
import { downloadTo } from '../../platform/outgoing/download.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { withWorkFolder } from '../../platform/disk/workDir.ts';
import { languageOfItsTexts } from '../ai/itemLanguage.ts';
import { faultOf } from '../analysisFaults.ts';
import { currentLogFields } from '../logFields.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import type { DecodeMedium } from './decoderProcess.ts';
import { BusyError, MEDIA_FAULTS } from '../mediaErrors.ts';
import { keepDownload, markWhole, MEDIUM_FILE, takeKept } from './keptDownloads.ts';
import { MAX_WAIT_MS, maxSlotsPerProject, MEDIA_PER_DECODER } from './mediaSlots.ts';
import { MAX_DOWNLOAD_BYTES } from './medium/mediaLimits.ts';
import { FairSlots } from '../../platform/process/concurrency/fairSlots.ts';
import type { PreparedMedium } from './medium/preparedMedium.ts';

export interface MediaActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  /** Guarded HTTP agent, because media addresses come from strangers. */
  agent: GuardedAgent;
  /** Decodes a medium in its own process (decoderProcess.ts). */
  decode: DecodeMedium;
  /** Number of media decoded concurrently. More may be downloading (mediaSlots.ts). */
  decoders: number;
  /** Folder for the downloads and frames of the media being processed. */
  workDir: string;
  logger: Logger;
  /** Longest wait for a slot, ms. */
  maxWaitMs?: number;
}

export type MediaActivities = ReturnType<typeof createMediaActivities>;

export function createMediaActivities(options: MediaActivityDeps) {
  const slotCount = options.decoders * MEDIA_PER_DECODER;
  const deps = {
    ...options,
    slots: new FairSlots(slotCount, maxSlotsPerProject(slotCount)),
    decoding: new FairSlots(options.decoders),
    maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
  };
  return {
    /** @returns false when there was nothing left to do */
    prepareMedium: (work: MediumWork): Promise<boolean> =>
      runWork(
        deps.logger,
        (context) => prepareMedium(deps, work, context),
        (fault) => endMediumStep(deps.pool, work, 'failed', fault.error),
      ),
  };
}

/** `itemLanguage` is the language that the item's texts show; null if they show none. */
type MediumToPrepare = Pick<StoredMedium, 'url' | 'kind'> & { itemLanguage: string | null };

type Deps = Required<MediaActivityDeps> & { slots: FairSlots; decoding: FairSlots };

async function prepareMedium(deps: Deps, work: MediumWork, context: WorkContext): Promise<boolean> {
  if (!(await startStep(deps.pool, work))) return false;
  const todo = await readMediumTodo(deps.pool, work);
  if (!todo) return false;
  const medium = { ...todo, itemLanguage: await languageOfItsTexts(deps.pool, work) };
  return withSlot(deps, work.projectId, context.signal, () =>
    withWorkFolder(deps.workDir, (folder) => prepareInFolder(deps, work, medium, folder, context)),
  );
}

/** @throws {BusyError} when no slot became free in time */
async function withSlot<T>(
  { slots, maxWaitMs }: Deps,
  projectId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new BusyError()), maxWaitMs);
  return slots.run(projectId, AbortSignal.any([signal, timeout.signal]), () => {
    clearTimeout(timer);
    return work();
  });
}

async function prepareInFolder(
  deps: Deps,
  work: MediumWork,
  medium: MediumToPrepare,
  folder: string,
  context: WorkContext,
): Promise<boolean> {
  try {
    const { prepared, outDir } = await fetchAndDecode(deps, work, medium, folder, context);
    if (prepared.warnings.length > 0)
      deps.logger.info({ ...currentLogFields(), warnings: prepared.warnings }, 'prepared with warnings');
    return await keep(deps, work, prepared, outDir);
  } catch (error) {
    if (faultOf(error).kind !== 'permanent') await keepDownload(deps.workDir, folder);
    throw error;
  }
}

/** Downloads the medium, unless an earlier attempt on this machine did, and decodes it. */
export async function fetchAndDecode(
  deps: Pick<Deps, 'agent' | 'decode' | 'decoding' | 'workDir'>,
  { projectId, mediumId, revision }: Pick<MediumWork, 'projectId' | 'mediumId' | 'revision'>,
  { url, kind, itemLanguage }: MediumToPrepare,
  folder: string,
  { signal, progress }: Pick<WorkContext, 'signal' | 'progress'>,
): Promise<{ prepared: PreparedMedium; outDir: string }> {
  const path = join(folder, MEDIUM_FILE);
  const onProgress = () => progress();
  if (!(await takeKept(deps.workDir, { mediumId, revision }, folder))) {
    await downloadTo(deps.agent, { url, path, maxBytes: MAX_DOWNLOAD_BYTES[kind], signal, onProgress });
    await markWhole(folder, { mediumId, revision });
  }
  const outDir = join(folder, 'out');
  await mkdir(outDir);
  const prepared = await deps.decoding.run(projectId, signal, () =>
    deps.decode({ path, kind, outDir, itemLanguage, signal, onProgress }),
  );
  return { prepared, outDir };
}

/**
 * Stores files first, then the rows that name them, so that a reader never finds a row without its file. Each attempt
 * has its own folder, so an attempt that comes too late can delete its files. Files left by a crash, or by a store that
 * fails with an unknown outcome, are removed later: the folder is garbage until its rows are stored.
 */
async function keep(
  deps: MediaActivityDeps,
  work: MediumWork,
  prepared: PreparedMedium,
  outDir: string,
): Promise<boolean> {
  const folder = attemptBlobFolder(work.projectId, work.mediumId, randomUUID());
  await announceBlobs(deps.pool, { projectId: work.projectId, folder });
  const row = await putFiles(deps.blobs, folder, prepared, outDir).catch(async (error: unknown) => {
    await deps.blobs.removeFolder(folder);
    throw error;
  });
  const stored = await storePrepared(deps.pool, work, row);
  if (!stored) await deps.blobs.removeFolder(folder);
  return stored;
}

async function putFiles(
  blobs: BlobStore,
  folder: string,
  prepared: PreparedMedium,
  outDir: string,
): Promise<PreparedMediumRow> {
  const put = async (file: string): Promise<string> => {
    const key = `${folder}/${file}`;
    await blobs.putFile(key, join(outDir, file));
    return key;
  };
  if (prepared.chapters !== null) await blobs.putFile(authoredChaptersKey(folder), join(outDir, prepared.chapters));
  const frames = [];
  for (const { file, ts, duplicateOfTs, flat } of prepared.frames)
    frames.push({ ts, duplicateOfTs, flat, blobKey: await put(file) });
  return {
    durationSec: prepared.durationSec,
    width: prepared.width,
    height: prepared.height,
    truncated: prepared.truncated,
    audioKey: prepared.audio && (await put(prepared.audio)),
    subtitlesKey: prepared.subtitles && (await put(prepared.subtitles)),
    frames,
    loss: lossOf(prepared),
  };
}

/** Returns the first reason why a part was left out, as steps store it. */
function lossOf({ warnings: [code] }: PreparedMedium): { code: string; message: string } | null {
  return code === undefined ? null : { code, message: MEDIA_FAULTS[code].message };
}
