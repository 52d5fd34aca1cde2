import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FINE_PIXELS, FINE_SIDE, fingerprint, fingerprintOfGrey, type Fingerprint } from '../pictures/sameFrames.ts';
import { minimumGap, selectFrames, toPreparedFrame, type Candidate } from '../pictures/frameSelection.ts';
import type { MediaLimits } from '../medium/mediaLimits.ts';
import type { ProbedStream } from './parseProbe.ts';
import { isRotated } from './probe.ts';
import type { MediumContext, PreparedFrame } from '../medium/preparedMedium.ts';

/** ffmpeg's scene score of a cut; its documentation gives 0.3 to 0.5 as the useful range. */
const SCENE_SCORE = 0.3;
/** Minimum distance between candidates in a video with many cuts, in seconds. */
const MIN_CANDIDATE_GAP = 0.5;
const CANDIDATE_FILE = /^frame-(-?\d+)\.jpg$/;
/** Binary portable graymaps: a short header, then the pixels. */
const GREY_FILES = 'grey-%d.pgm';

/**
 * Returns the arguments for the frames. Each candidate becomes a JPEG and a small grey picture for its fingerprint,
 * both named after its time in milliseconds, so that pictures and times cannot be mixed up.
 * @param durationSec null when unknown: then frames are taken at the rate of a short video, up to the cap
 */
export function frameOutputArgs(stream: ProbedStream, durationSec: number | null, limits: MediaLimits): string[] {
  const candidates = [
    `[0:${stream.index}]select='${candidateExpression(stream, durationSec, limits)}'`,
    ...shapeFilters(stream, limits.frameSide),
    'format=yuvj420p',
    'settb=1/1000',
    'split[frame][copy]',
  ].join(',');
  const small = `[copy]scale=${FINE_SIDE}:${FINE_SIDE}:flags=lanczos,format=gray[grey]`;
  return [
    '-filter_complex',
    `${candidates};${small}`,
    ...pictureArgs('[frame]', ['mjpeg', '-q:v', '3'], 'frame-%d.jpg', limits),
    ...pictureArgs('[grey]', ['pgm'], GREY_FILES, limits),
  ];
}

function pictureArgs(label: string, codec: readonly string[], files: string, limits: MediaLimits): string[] {
  return [
    '-map',
    label,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:1000',
    '-frames:v',
    String(limits.candidates),
    '-c:v',
    ...codec,
    '-threads',
    '1',
    '-map_metadata',
    '-1',
    '-f',
    'image2',
    '-frame_pts',
    '1',
    files,
  ];
}

/**
 * Selects the first frame, one per gap, the frames at cuts, and the first frame after the middle and after the point
 * near the end.
 */
function candidateExpression(stream: ProbedStream, durationSec: number | null, limits: MediaLimits): string {
  const length = Math.min(durationSec ?? 0, limits.durationSec);
  const cutGap = Math.max(MIN_CANDIDATE_GAP, length / (limits.candidates - 10));
  const terms = [
    'isnan(prev_selected_t)',
    `gte(t-prev_selected_t,${seconds(minimumGap(length))})`,
    `gt(scene,${SCENE_SCORE})*gte(t-prev_selected_t,${seconds(cutGap)})`,
  ];
  if (durationSec !== null) terms.push(crossing(length / 2), crossing(nearEnd(length, stream.fps)));
  return terms.join('+');
}

const crossing = (at: number) => `gte(t,${seconds(at)})*lt(prev_t,${seconds(at)})`;
const seconds = (value: number) => value.toFixed(3);

/**
 * Returns a time that is a fiftieth of the length, but at most 5 s, before the end, so as to avoid closing titles and
 * black frames. It is never after the last frame.
 */
function nearEnd(length: number, fps: number | null): number {
  const margin = Math.max(1.5 / (fps ?? 10), Math.min(5, Math.max(0.1, length / 50)));
  return Math.max(0, length - margin);
}

/**
 * Scales the picture as shown (pixel aspect applied) to fit into a square, without enlarging it, with even sides. All
 * frames get the size of the first: a larger or smaller picture further on is scaled to it, and padded if its shape
 * differs, since ffmpeg would stretch it.
 */
function shapeFilters(stream: ProbedStream, side: number): string[] {
  const first = firstSize(stream, side);
  if (first === null) return [scaleFilter(`min(1,${side}/max(iw*sar,ih))`), 'setsar=1'];
  const { width, height } = first;
  // scaleFilter rounds sides down to even numbers. With almost two pixels added, the sides of the first picture come
  // out as they were computed.
  const fitting = `min(${width + 1.99}/(iw*sar),${height + 1.99}/ih)`;
  return [scaleFilter(fitting), 'setsar=1', `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`];
}

function scaleFilter(ratio: string): string {
  return `scale=w='max(2,2*trunc(iw*sar*${ratio}/2))':h='max(2,2*trunc(ih*${ratio}/2))'`;
}

/** Returns the size of the first frame; null if the container does not say. */
function firstSize({ pixelAspect, ...stream }: ProbedStream, side: number): { width: number; height: number } | null {
  if (stream.width === null || stream.height === null) return null;
  // ffmpeg rotates pictures before it scales them, and it is the width to which the pixel aspect applies.
  const [width, height] = isRotated(stream)
    ? [stream.height / pixelAspect, stream.width]
    : [stream.width * pixelAspect, stream.height];
  const longest = Math.max(width, height);
  const even = (length: number) => Math.max(2, 2 * Math.trunc((length * Math.min(side, longest)) / longest / 2));
  return { width: even(width), height: even(height) };
}

/** Returns the candidates on disk, in order of time, with their fingerprints. Deletes the grey pictures. */
export async function readCandidates(context: MediumContext): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { file, time, ts } of await candidateFiles(context.outDir)) {
    context.signal.throwIfAborted();
    context.onProgress({ stage: 'frames', doneSec: ts });
    candidates.push({ ts, file, fingerprint: await takeFingerprint(context.outDir, file, time) });
  }
  return candidates;
}

async function candidateFiles(outDir: string): Promise<{ file: string; time: string; ts: number }[]> {
  return (await readdir(outDir))
    .flatMap((file) => {
      const time = CANDIDATE_FILE.exec(file)?.[1];
      return time === undefined ? [] : [{ file, time, ts: Math.max(0, Number(time) / 1000) }];
    })
    .toSorted((a, b) => a.ts - b.ts);
}

/**
 * Takes the fingerprint of a frame from its grey picture, and deletes that picture. A decoder that was killed leaves
 * its last one unfinished; then the frame itself is read.
 * @throws sharp's error when the frame is not a picture either
 */
async function takeFingerprint(outDir: string, file: string, time: string): Promise<Fingerprint> {
  const greyFile = join(outDir, GREY_FILES.replace('%d', time));
  const grey = await readFile(greyFile).catch(() => Buffer.alloc(0));
  await rm(greyFile, { force: true });
  const pixels = grey.subarray(-FINE_PIXELS);
  return grey.length > FINE_PIXELS ? fingerprintOfGrey(pixels) : await fingerprint(join(outDir, file));
}

/** Selects the frames to keep and deletes the files of the others. */
export async function keepFrames(
  context: MediumContext,
  candidates: readonly Candidate[],
  durationSec: number | null,
): Promise<PreparedFrame[]> {
  const kept = selectFrames(candidates, { gapSec: minimumGap(durationSec), limit: context.limits.frames });
  const files = new Set(kept.map((frame) => frame.file));
  await Promise.all(
    candidates
      .filter(({ file }) => !files.has(file))
      .map(({ file }) => rm(join(context.outDir, file), { force: true })),
  );
  return kept.map(toPreparedFrame);
}
