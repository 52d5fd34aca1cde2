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
import { currentLogFields } from '../logFields.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import { analyseMedium } from './analyseMedium.ts';
import { Slots } from './slots.ts';
import type { PreparedMedium } from './types.ts';

export interface MediaActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  /** The guarded way out: media addresses come from strangers. */
  agent: GuardedAgent;
  ffmpegPath: string;
  /** Media decoded at a time. More may be fetched meanwhile, see MEDIA_PER_DECODER. */
  decoders: number;
  /** Where downloads and frames live while a medium is worked on. */
  workDir: string;
  logger: Logger;
}

export type MediaActivities = ReturnType<typeof createMediaActivities>;

const MIB = 1024 * 1024;
const MAX_BYTES: Record<MediaKind, number> = { video: 2048 * MIB, audio: 500 * MIB, image: 30 * MIB };

/**
 * Activities to run for each decoder. Fetching waits for strangers' hosts, decoding needs a CPU: if a
 * download held a decoder's place, two hosts that hardly send anything would stop everybody's media.
 * Each may take up to 2 GiB of the work folder.
 */
export const MEDIA_PER_DECODER = 4;

export function createMediaActivities(options: MediaActivityDeps) {
  const deps = { ...options, decoding: new Slots(options.decoders) };
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

type Deps = MediaActivityDeps & { decoding: Slots };

async function prepareMedium(deps: Deps, work: MediumWork, context: WorkContext): Promise<boolean> {
  if (!(await startStep(deps.pool, work))) return false;
  const medium = await readMediumTodo(deps.pool, work);
  if (!medium) return false;
  return withWorkFolder(deps.workDir, (folder) => prepareInFolder(deps, work, medium, folder, context));
}

async function prepareInFolder(
  deps: Deps,
  work: MediumWork,
  medium: StoredMedium,
  folder: string,
  context: WorkContext,
): Promise<boolean> {
  const path = join(folder, 'medium');
  await downloadTo(deps.agent, {
    url: medium.url,
    path,
    maxBytes: MAX_BYTES[medium.kind],
    signal: context.signal,
    onProgress: () => context.progress(),
  });
  const outDir = join(folder, 'out');
  await mkdir(outDir);
  const prepared = await deps.decoding.run(context.signal, () =>
    analyseMedium({
      path,
      kind: medium.kind,
      outDir,
      ffmpegPath: deps.ffmpegPath,
      signal: context.signal,
      onProgress: () => context.progress(),
    }),
  );
  if (prepared.warnings.length > 0)
    deps.logger.info({ ...currentLogFields(), warnings: prepared.warnings }, 'prepared with warnings');
  return keep(deps, work, prepared, outDir);
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
