import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint, type Fingerprint } from './sameFrames.ts';
import { minimumGap, selectFrames, type Candidate } from './frameSelection.ts';
import type { MediaLimits } from './limits.ts';
import type { ProbedStream } from './parseProbe.ts';
import type { MediumContext, PreparedFrame } from './types.ts';

/** ffmpeg's scene score of a cut; its documentation gives 0.3 to 0.5 as the useful range. */
const SCENE_SCORE = 0.3;
/** Minimum distance between candidates in a video with many cuts, in seconds. */
const LEAST_CANDIDATE_GAP = 0.5;
const CANDIDATE_FILE = /^frame-(-?\d+)\.jpg$/;
const HASHED_AT_ONCE = 2;

/**
 * Returns the arguments for the frames: one JPEG per candidate, named after its time in milliseconds, so that pictures
 * and times cannot be mixed up.
 * @param durationSec null when unknown: then frames are taken at the rate of a short video, up to the cap
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

/** Selects the first frame, one per gap, cuts, and the frames that cross the middle and the near end. */
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

/** Returns a time before the end by a fiftieth (at most 5 s: closing titles, black), but never after the last frame. */
function nearEnd(length: number, fps: number | null): number {
  const margin = Math.max(1.5 / (fps ?? 10), Math.min(5, Math.max(0.1, length / 50)));
  return Math.max(0, length - margin);
}

/** Scales the picture as shown (pixel aspect applied) to fit into a square, without enlarging it, with even sides. */
function scaleFilter(side: number): string {
  const ratio = `min(1,${side}/max(iw*sar,ih))`;
  return `scale=w='max(2,2*trunc(iw*sar*${ratio}/2))':h='max(2,2*trunc(ih*${ratio}/2))'`;
}

/**
 * Fingerprints of candidates, computed while the decoder is still writing others: nearly all are ready when it ends.
 */
export class Prints {
  readonly #outDir: string;
  readonly #made = new Map<string, Fingerprint>();
  #sweep: Promise<void> | null = null;

  constructor(outDir: string) {
    this.#outDir = outDir;
  }

  /**
   * Processes complete candidates; the last one may still be being written. It takes one at a time, because the decoder
   * needs the cores.
   */
  sweep(): void {
    this.#sweep ??= this.#makeMissing().finally(() => {
      this.#sweep = null;
    });
  }

  /** Must be called after the decoder has ended. @throws sharp's error when the file is not a picture */
  async of(file: string): Promise<Fingerprint> {
    await this.#sweep;
    return this.#made.get(file) ?? (await fingerprint(join(this.#outDir, file)));
  }

  async #makeMissing(): Promise<void> {
    const found = await candidateFiles(this.#outDir).catch(() => []);
    for (const { file } of found.slice(0, -1)) {
      if (this.#made.has(file)) continue;
      const print = await fingerprint(join(this.#outDir, file)).catch(() => null);
      // A file that cannot be read now is read once more at the end, which reports the reason.
      if (print === null) return;
      this.#made.set(file, print);
    }
  }
}

async function candidateFiles(outDir: string): Promise<{ file: string; ts: number }[]> {
  return (await readdir(outDir))
    .flatMap((file) => {
      const match = CANDIDATE_FILE.exec(file);
      return match === null ? [] : [{ file, ts: Math.max(0, Number(match[1]) / 1000) }];
    })
    .toSorted((a, b) => a.ts - b.ts);
}

/** Returns the candidates on disk, in order of time, with their fingerprints. */
export async function readCandidates(context: MediumContext, prints: Prints): Promise<Candidate[]> {
  const found = await candidateFiles(context.outDir);
  const candidates: Candidate[] = [];
  for (let at = 0; at < found.length; at += HASHED_AT_ONCE) {
    context.signal.throwIfAborted();
    context.onProgress({ stage: 'frames', doneSec: found[at]?.ts ?? null });
    const batch = found.slice(at, at + HASHED_AT_ONCE);
    candidates.push(
      ...(await Promise.all(batch.map(async (frame) => ({ ...frame, print: await prints.of(frame.file) })))),
    );
  }
  return candidates;
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
  return kept.map(({ ts, file, print, duplicateOfTs }) => ({
    ts,
    file,
    dhash: print.dhash,
    duplicateOfTs,
    flat: print.flat,
  }));
}
