import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint } from './dhash.ts';
import { minimumGap, selectFrames, type Candidate } from './frameSelection.ts';
import type { MediaLimits } from './limits.ts';
import type { ProbedStream } from './parseProbe.ts';
import type { MediumContext, PreparedFrame } from './types.ts';

/** ffmpeg's scene score of a cut; its documentation names 0.3 to 0.5 as the useful range. */
const SCENE_SCORE = 0.3;
/** Candidates of a cut-heavy video lie this far apart at least, seconds. */
const LEAST_CANDIDATE_GAP = 0.5;
const CANDIDATE_FILE = /^frame-(-?\d+)\.jpg$/;
const HASHED_AT_ONCE = 2;

/**
 * The output of frames: one JPEG a candidate, its time in milliseconds as the file's name, so
 * that the pictures and their times cannot come apart.
 * @param durationSec null when unknown: then the pace of a short video holds up to the cap
 */
export function frameOutputArgs(stream: ProbedStream, durationSec: number | null, limits: MediaLimits): string[] {
  return [
    '-map',
    `0:${stream.index}`,
    '-vf',
    [
      `select='${candidateExpression(stream, durationSec, limits)}'`,
      scaleFilter(limits.frameSide),
      'setsar=1',
      'format=yuvj420p',
      'settb=1/1000',
    ].join(','),
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:1000',
    '-frames:v',
    String(limits.candidates),
    '-c:v',
    'mjpeg',
    '-q:v',
    '3',
    '-threads',
    '1',
    '-map_metadata',
    '-1',
    '-f',
    'image2',
    '-frame_pts',
    '1',
    'frame-%d.jpg',
  ];
}

/** First frame; one a gap; cuts; the frames that cross the middle and the near end. */
function candidateExpression(stream: ProbedStream, durationSec: number | null, limits: MediaLimits): string {
  const length = Math.min(durationSec ?? 0, limits.durationSec);
  const cutGap = Math.max(LEAST_CANDIDATE_GAP, length / (limits.candidates - 10));
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

/** Short of the end by a fiftieth (at most 5 s: closing titles, black), but never past the last frame. */
function nearEnd(length: number, fps: number | null): number {
  const margin = Math.max(1.5 / (fps ?? 10), Math.min(5, Math.max(0.1, length / 50)));
  return Math.max(0, length - margin);
}

/** Fits the picture as shown (pixel aspect applied) into a square, never enlarging, sides even. */
function scaleFilter(side: number): string {
  const ratio = `min(1,${side}/max(iw*sar,ih))`;
  return `scale=w='max(2,2*trunc(iw*sar*${ratio}/2))':h='max(2,2*trunc(ih*${ratio}/2))'`;
}

/** The candidates on disk, in order of time, with their fingerprints. */
export async function readCandidates(context: MediumContext): Promise<Candidate[]> {
  const found = (await readdir(context.outDir))
    .flatMap((file) => {
      const match = CANDIDATE_FILE.exec(file);
      return match === null ? [] : [{ file, ts: Math.max(0, Number(match[1]) / 1000) }];
    })
    .toSorted((a, b) => a.ts - b.ts);
  const candidates: Candidate[] = [];
  for (let at = 0; at < found.length; at += HASHED_AT_ONCE) {
    context.signal.throwIfAborted();
    context.onProgress({ stage: 'frames', doneSec: found[at]?.ts ?? null });
    const batch = found.slice(at, at + HASHED_AT_ONCE);
    candidates.push(
      ...(await Promise.all(
        batch.map(async (frame) => ({ ...frame, print: await fingerprint(join(context.outDir, frame.file)) })),
      )),
    );
  }
  return candidates;
}

/** Chooses the frames to keep and removes the files of the others. */
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
  return kept.map(({ ts, file, print, duplicateOfTs }) => ({
    ts,
    file,
    dhash: print.dhash,
    duplicateOfTs,
    flat: print.flat,
  }));
}
