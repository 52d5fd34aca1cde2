/** Selects the candidate frames to keep. Those that repeat an earlier one are marked by sameFrames.ts. Pure. */
import { MAX_KEPT_FRAMES } from './frameCount.ts';
import type { PreparedFrame } from '../medium/preparedMedium.ts';
import { markDuplicates, sameFrame, type Fingerprint } from './sameFrames.ts';

export interface Candidate {
  ts: number;
  file: string;
  fingerprint: Fingerprint;
}

export interface KeptFrame extends Candidate {
  duplicateOfTs: number | null;
}

export interface SelectionRule {
  /** Minimum time between two kept frames, except for the anchors. */
  gapSec: number;
  /** Maximum number of frames to keep, at least 3. */
  limit: number;
}

const MIN_GAP_SEC = 2;

/**
 * Returns the minimum time between two kept frames, in seconds: 2 s, or so much that the maximum number of frames
 * spreads over the whole medium.
 */
export function minimumGap(durationSec: number | null): number {
  return Math.max(MIN_GAP_SEC, (durationSec ?? 0) / MAX_KEPT_FRAMES);
}

/**
 * Always keeps the first, the middle and the last candidate, even flat ones. Between them, at the minimum gap, it keeps
 * frames that are not flat and differ from the previously kept one; a return to an earlier picture is kept and marked.
 * @param candidates in order of time
 */
export function selectFrames(candidates: readonly Candidate[], rule: SelectionRule): KeptFrame[] {
  const anchors = anchorFrames(candidates);
  const gap = rule.gapSec - 0.01; // timestamps are whole milliseconds
  const kept: Candidate[] = [];
  let room = rule.limit - anchors.size;
  for (const candidate of candidates) {
    const wanted = room > 0 && isNewScene(candidate, kept, anchors, gap);
    if (!anchors.has(candidate) && !wanted) continue;
    if (!anchors.has(candidate)) room--;
    kept.push(candidate);
  }
  return markDuplicates(kept);
}

function isNewScene(
  candidate: Candidate,
  kept: readonly Candidate[],
  anchors: ReadonlySet<Candidate>,
  gap: number,
): boolean {
  const previous = kept.at(-1);
  if (candidate.fingerprint.flat || previous === undefined) return false;
  if (candidate.ts - previous.ts < gap || sameFrame(previous.fingerprint, candidate.fingerprint)) return false;
  return [...anchors].every((anchor) => Math.abs(anchor.ts - candidate.ts) >= gap);
}

function anchorFrames(candidates: readonly Candidate[]): Set<Candidate> {
  const first = candidates[0];
  const last = candidates.at(-1);
  if (first === undefined || last === undefined) return new Set();
  const half = last.ts / 2;
  const distance = (candidate: Candidate) => Math.abs(candidate.ts - half);
  const middle = candidates.reduce((best, candidate) => (distance(candidate) < distance(best) ? candidate : best));
  return new Set([first, middle, last]);
}

/** Returns what is stored about a kept frame. */
export function toPreparedFrame({ ts, file, fingerprint, duplicateOfTs }: KeptFrame): PreparedFrame {
  return { ts, file, dhash: fingerprint.dhash, duplicateOfTs, flat: fingerprint.flat };
}
