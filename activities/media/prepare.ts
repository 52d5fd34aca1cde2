/** Activity of the step prepare: fetches one medium, decodes it and stores what the later steps need. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { BlobStore } from '../../blobs/store.ts';
import { announceBlobs } from '../../db/blobGarbage.ts';
import {
  endMediumStep,
  readMediumTodo,
  storePrepared,
  type PreparedMediumRow,
  type StoredMedium,
} from '../../db/analysis/media.ts';
import { startStep } from '../../db/analysis/steps.ts';
import { mediumBlobFolder } from '../../domain/ids.ts';
import type { MediaKind } from '../../domain/steps.ts';
import type { MediumWork } from '../../domain/workflowMessages.ts';
import type { GuardedAgent } from '../../outgoing/connect.ts';
import { downloadTo } from '../../outgoing/download.ts';
import type { Logger } from '../../process/logger.ts';
import { withWorkFolder } from '../../process/workDir.ts';
import { faultOf } from '../faults.ts';
import { currentLogFields } from '../logFields.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import type { DecodeMedium } from './decodeApart.ts';
import { BusyError } from './errors.ts';
import { keepDownload, markWhole, MEDIUM_FILE, takeKept } from './keptDownloads.ts';
import { Slots } from './slots.ts';
import type { PreparedMedium } from './types.ts';

export interface MediaActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  /** The guarded way out: media addresses come from strangers. */
  agent: GuardedAgent;
  /** Takes a medium apart, in a process of its own (decodeApart.ts). */
  decode: DecodeMedium;
  /** Media decoded at a time. More may be fetched meanwhile, see MEDIA_PER_DECODER. */
  decoders: number;
  /** Where downloads and frames live while a medium is worked on. */
  workDir: string;
  logger: Logger;
  /** Longest wait for a place, ms. */
  longestWaitMs?: number;
}

export type MediaActivities = ReturnType<typeof createMediaActivities>;

const MIB = 1024 * 1024;
const MAX_BYTES: Record<MediaKind, number> = { video: 2048 * MIB, audio: 500 * MIB, image: 30 * MIB };

/**
 * Media in hand for each decoder. Fetching waits for strangers' hosts, decoding needs a CPU: if a download held a
 * decoder's place, two hosts that hardly send anything would stop everybody's media. Each may take up to 2 GiB of
 * the work folder.
 */
const MEDIA_PER_DECODER = 4;
/** Activities to run for each decoder: those in hand, and those that wait for their project's turn. */
export const ACTIVITIES_PER_DECODER = 16;
/** Whoever waits longer for a place goes back to Temporal, so that the wait of one project is not everybody's. */
const LONGEST_WAIT_MS = 30_000;

/** One project never has every place: a quarter of them, at least one, is left to the others. */
function mostOfOneProject(places: number): number {
  return places - Math.max(1, Math.floor(places / 4));
}

export function createMediaActivities(options: MediaActivityDeps) {
  const places = options.decoders * MEDIA_PER_DECODER;
  const deps = {
    ...options,
    inHand: new Slots(places, mostOfOneProject(places)),
    decoding: new Slots(options.decoders),
    longestWaitMs: options.longestWaitMs ?? LONGEST_WAIT_MS,
  };
  return {
    /** @returns false when there was nothing to do any more */
    prepareMedium: (work: MediumWork): Promise<boolean> =>
      runWork(
        deps.logger,
        (context) => prepareMedium(deps, work, context),
        (fault) => endMediumStep(deps.pool, work, 'failed', fault.error),
      ),
  };
}

type Deps = MediaActivityDeps & { inHand: Slots; decoding: Slots; longestWaitMs: number };

async function prepareMedium(deps: Deps, work: MediumWork, context: WorkContext): Promise<boolean> {
  if (!(await startStep(deps.pool, work))) return false;
  const medium = await readMediumTodo(deps.pool, work);
  if (!medium) return false;
  return withPlace(deps, work.projectId, context.signal, () =>
    withWorkFolder(deps.workDir, (folder) => prepareInFolder(deps, work, medium, folder, context)),
  );
}

/** @throws {BusyError} when no place came free in time */
async function withPlace<T>(
  { inHand, longestWaitMs }: Deps,
  projectId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(new BusyError()), longestWaitMs);
  return inHand.run(projectId, AbortSignal.any([signal, impatience.signal]), () => {
    clearTimeout(timer);
    return work();
  });
}

async function prepareInFolder(
  deps: Deps,
  work: MediumWork,
  medium: StoredMedium,
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

/** Fetches the medium, unless an earlier attempt of this machine did, and takes it apart. */
export async function fetchAndDecode(
  deps: Pick<Deps, 'agent' | 'decode' | 'decoding' | 'workDir'>,
  { projectId, mediumId }: Pick<MediumWork, 'projectId' | 'mediumId'>,
  { url, kind }: Pick<StoredMedium, 'url' | 'kind'>,
  folder: string,
  { signal, progress }: Pick<WorkContext, 'signal' | 'progress'>,
): Promise<{ prepared: PreparedMedium; outDir: string }> {
  const path = join(folder, MEDIUM_FILE);
  const onProgress = () => progress();
  if (!(await takeKept(deps.workDir, mediumId, folder))) {
    await downloadTo(deps.agent, { url, path, maxBytes: MAX_BYTES[kind], signal, onProgress });
    await markWhole(folder, mediumId);
  }
  const outDir = join(folder, 'out');
  await mkdir(outDir);
  const prepared = await deps.decoding.run(projectId, signal, () =>
    deps.decode({ path, kind, outDir, signal, onProgress }),
  );
  return { prepared, outDir };
}

/**
 * Files first, then the rows that name them: a reader never meets a row without its file. The folder
 * is this attempt's own, so an attempt that comes too late can take its files away again. What a
 * crash leaves, or a store that breaks (it may have happened), is removed later: the folder is
 * garbage until its rows are stored.
 */
async function keep(
  deps: MediaActivityDeps,
  work: MediumWork,
  prepared: PreparedMedium,
  outDir: string,
): Promise<boolean> {
  const folder = mediumBlobFolder(work.projectId, work.mediumId, randomUUID());
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
  };
}
