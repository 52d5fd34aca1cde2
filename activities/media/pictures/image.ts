import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint } from './sameFrames.ts';
import type { RawImage } from './rawImage.ts';
import { MediaError } from '../../mediaErrors.ts';
import { selectFrames, toPreparedFrame, type Candidate } from './frameSelection.ts';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { isUndecodedAnimation } from './undecodedAnimation.ts';
import { upright } from './upright.ts';
import { composeVisibly } from './visibleBackground.ts';
import type { MediumContext, PreparedFrame, PreparedMedium } from '../medium/preparedMedium.ts';

/** The side in pixels below which a picture that had to be made smaller counts as unseen. */
const MIN_SIDE = 64;
const JPEG = { quality: 85, mozjpeg: false } as const;
const STILL_FILE = 'image.jpg';
/** Browsers show a page of 10 ms or less for 100 ms, so the frame times here do the same. */
const MIN_PAGE_MS = 10;
const MIN_PAGE_SHOWN_MS = 100;

/**
 * Rotates an image upright, removes its metadata (EXIF with GPS) and converts it to a JPEG; the pages of an animation
 * become frames, like those of a video.
 * @throws {MediaError} image_too_large, media_truncated, decode_failed, processing_timeout, storage_full
 */
export async function analyseImage(context: MediumContext): Promise<PreparedMedium> {
  const deadline = AbortSignal.timeout(context.limits.imageMs);
  const signal = AbortSignal.any([context.signal, deadline]);
  try {
    return await raceAbort(analyse({ ...context, signal }), signal);
  } catch (error) {
    context.signal.throwIfAborted();
    throw imageFault(error, deadline.aborted);
  }
}

async function analyse(context: MediumContext): Promise<PreparedMedium> {
  const header = await readHeader(context);
  return header.pages > 1 ? await analyseAnimation(context, header) : await analyseStill(context, header);
}

interface Header {
  /** Size of one page, after orientation. */
  width: number;
  height: number;
  /** Size of one page as stored. */
  stored: { width: number; height: number };
  /** EXIF orientation, 1 to 8. */
  orientation: number;
  pages: number;
  delaysMs: number[];
  /** There are further pictures, which are not decoded: pages of a document, an animation in PNG or AVIF. */
  isOneOfSeveral: boolean;
}

/**
 * Reads only the header, so that a decompression bomb costs nothing: it is refused by its size before its pixels are
 * decoded.
 */
async function readHeader(context: MediumContext): Promise<Header> {
  const metadata = await sharp(context.path, { limitInputPixels: false }).metadata();
  const { width, height } = metadata.autoOrient;
  if (width * height > context.limits.imagePixels) throw new MediaError('image_too_large', `${width}x${height}`);
  const pages = isAnimation(metadata) ? (metadata.pages ?? 1) : 1;
  return {
    width,
    height,
    stored: { width: metadata.width, height: metadata.height },
    orientation: metadata.orientation ?? 1,
    pages,
    delaysMs: pages > 1 ? pageDelays(metadata, pages) : [],
    isOneOfSeveral: pages < (metadata.pages ?? 1) || (await isUndecodedAnimation(context.path)),
  };
}

/** Returns false for a TIFF or AVIF of several pages, which is a document or a series of exposures. */
function isAnimation({ format, pages }: Metadata): boolean {
  return (format === 'gif' || format === 'webp') && (pages ?? 1) > 1;
}

function pageDelays(metadata: Metadata, pages: number): number[] {
  return Array.from({ length: pages }, (_, page) => {
    const delay = metadata.delay?.[page] ?? 0;
    return delay <= MIN_PAGE_MS ? MIN_PAGE_SHOWN_MS : delay;
  });
}

async function analyseStill(context: MediumContext, header: Header): Promise<PreparedMedium> {
  const side = context.limits.frameSide;
  const raw = await readVisible(
    open(context, 1).autoOrient().resize(side, side, { fit: 'inside', withoutEnlargement: true }),
  );
  const jpeg = await sharp(raw.data, { raw }).jpeg(JPEG).toBuffer();
  await write(context, STILL_FILE, jpeg);
  const print = await fingerprint(jpeg);
  const frame = { ts: 0, file: STILL_FILE, dhash: print.dhash, duplicateOfTs: null, flat: print.flat };
  return medium(header, [frame], null, header.isOneOfSeveral || isTooNarrow(header, side));
}

/** Returns true for a long strip whose picture is too narrow to show its content. */
function isTooNarrow({ width, height }: Header, side: number): boolean {
  const scale = side / Math.max(width, height);
  return scale < 1 && Math.min(width, height) * scale < MIN_SIDE;
}

async function analyseAnimation(context: MediumContext, header: Header): Promise<PreparedMedium> {
  const room = Math.floor(context.limits.imagePixels / (header.width * header.height));
  const pages = Math.min(header.pages, context.limits.candidates, Math.max(1, room));
  const images = await readPages(context, header, pages);
  const candidates: Candidate[] = [];
  let ms = 0;
  for (const [page, raw] of images.entries()) {
    context.signal.throwIfAborted();
    context.onProgress({ stage: 'frames', doneSec: ms / 1000 });
    candidates.push({ ts: ms / 1000, file: `page-${page}.jpg`, fingerprint: await fingerprint(raw) });
    ms += header.delaysMs[page] ?? 0;
  }
  const frames = await writeKept(context, candidates, images, ms / 1000);
  const durationSec = header.delaysMs.reduce((sum, delay) => sum + delay, 0) / 1000;
  return medium(header, frames, durationSec, pages < header.pages);
}

/** Reads the first pages in one pass, because a page of a GIF is drawn over the previous ones. */
async function readPages(context: MediumContext, { stored, orientation }: Header, pages: number): Promise<RawImage[]> {
  const scale = Math.min(1, context.limits.frameSide / Math.max(stored.width, stored.height));
  const width = Math.max(1, Math.round(stored.width * scale));
  const height = Math.max(1, Math.round(stored.height * scale));
  const { data: strip } = await readVisible(open(context, pages).resize(width, height, { fit: 'fill' }));
  const bytes = width * height * 3;
  if (strip.length !== bytes * pages)
    throw new MediaError('decode_failed', `${strip.length} bytes do not fit ${pages} pages`);
  const images: RawImage[] = [];
  for (let page = 0; page < pages; page += 1) {
    const data = strip.subarray(page * bytes, (page + 1) * bytes);
    images.push(await upright({ data, width, height, channels: 3 }, orientation));
  }
  return images;
}

/** Decodes a picture, or a strip of pages, without transparency. */
async function readVisible(image: Sharp): Promise<RawImage> {
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return {
    data: info.channels > 3 ? composeVisibly(data, info.channels) : data,
    width: info.width,
    height: info.height,
    channels: 3,
  };
}

async function writeKept(
  context: MediumContext,
  candidates: readonly Candidate[],
  images: readonly RawImage[],
  durationSec: number,
): Promise<PreparedFrame[]> {
  const kept = selectFrames(candidates, { gapSec: durationSec / context.limits.frames, limit: context.limits.frames });
  for (const { file } of kept) {
    const raw = images[candidates.findIndex((candidate) => candidate.file === file)];
    if (raw !== undefined) await write(context, file, await sharp(raw.data, { raw }).jpeg(JPEG).toBuffer());
  }
  return kept.map(toPreparedFrame);
}

/** Writes a file unless aborted: after an abort the folder no longer belongs to this work. */
async function write({ outDir, signal }: MediumContext, file: string, data: Uint8Array): Promise<void> {
  await writeFile(join(outDir, file), data, { signal });
}

function open({ path, limits }: MediumContext, pages: number): Sharp {
  return sharp(path, { pages, limitInputPixels: limits.imagePixels, failOn: 'error', sequentialRead: true }).timeout({
    seconds: Math.ceil(limits.imageMs / 1000),
  });
}

function medium(
  { width, height }: Header,
  frames: PreparedFrame[],
  durationSec: number | null,
  truncated: boolean,
): PreparedMedium {
  return { durationSec, width, height, truncated, audio: null, subtitles: null, chapters: null, frames, warnings: [] };
}

/** Rejects on abort: libvips cannot be interrupted from outside, but the caller need not wait for it. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined); // its outcome no longer matters when the signal won
  }
}

function imageFault(error: unknown, late: boolean): MediaError {
  if (error instanceof MediaError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const options = { cause: error };
  if (late || /timeout/i.test(detail)) return new MediaError('processing_timeout', detail, options);
  if (/pixel limit|too large/i.test(detail)) return new MediaError('image_too_large', detail, options);
  if (/premature end|unexpected end|truncat|end of (file|stream)/i.test(detail))
    return new MediaError('media_truncated', detail, options);
  if (/No space left/i.test(detail)) return new MediaError('storage_full', detail, options);
  return new MediaError('decode_failed', detail, options);
}
