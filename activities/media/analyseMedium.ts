import { readdir, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { analyseContainer } from './containers/container.ts';
import { MediaError } from '../mediaErrors.ts';
import type { analyseImage } from './pictures/image.ts';
import { DEFAULT_LIMITS } from './medium/mediaLimits.ts';
import { sniff } from './medium/allowedFileTypes.ts';
import type { AnalyseOptions, MediumContext, MediumKind, PreparedMedium } from './medium/preparedMedium.ts';

export interface Decoders {
  analyseImage: typeof analyseImage;
  analyseContainer: typeof analyseContainer;
}

/** Loads the modules that decode media, which takes half of the start of a decoder's process. */
export async function loadDecoders(): Promise<Decoders> {
  const [{ analyseImage }, { analyseContainer }] = await Promise.all([
    import('./pictures/image.ts'),
    import('./containers/container.ts'),
  ]);
  return { analyseImage, analyseContainer };
}

/**
 * Safely decodes one downloaded medium from a stranger: detects its type from its bytes, then extracts the inputs of
 * the analysis (frames as JPEG, sound as mono 16 kHz FLAC, subtitles as WebVTT, chapters as JSON) into outDir. Time,
 * pixels, streams and memory are bounded, and nothing but the file is read. When it throws, outDir is empty again and
 * no child process is left.
 * @param load called only for an allowed type, since the libraries take long to load
 * @throws {MediaError} with a code of activities/mediaErrors.ts
 * @throws the signal's reason on abort
 */
export async function analyseMedium(options: AnalyseOptions, load = loadDecoders): Promise<PreparedMedium> {
  const context = contextOf(options);
  try {
    context.signal.throwIfAborted();
    return await analyse(context, options.kind, load);
  } catch (error) {
    await emptyDirectory(context.outDir);
    throw error;
  }
}

async function analyse(context: MediumContext, kind: MediumKind, load: typeof loadDecoders): Promise<PreparedMedium> {
  const { demuxer } = await sniff(context.path, kind);
  const decoders = await load();
  if (kind === 'image') return await decoders.analyseImage(context);
  if (demuxer === null) throw new MediaError('media_kind_mismatch');
  return await decoders.analyseContainer(context, kind, demuxer);
}

function contextOf(options: AnalyseOptions): MediumContext {
  for (const path of [options.path, options.outDir, options.ffmpegPath]) {
    if (!isAbsolute(path)) throw new TypeError(`not an absolute path: ${path}`);
  }
  return {
    path: options.path,
    outDir: options.outDir,
    ffmpegPath: options.ffmpegPath,
    itemLanguage: options.itemLanguage ?? null,
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => undefined),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  };
}

async function emptyDirectory(path: string): Promise<void> {
  const names = await readdir(path);
  await Promise.all(names.map((name) => rm(join(path, name), { recursive: true, force: true })));
}
