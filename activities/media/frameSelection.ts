/** Which candidate frames are kept, and which of those repeat another. Pure. */
import { sameFrame, type Fingerprint } from './dhash.ts';

export interface Candidate {
  ts: number;
  file: string;
  print: Fingerprint;
}

export interface KeptFrame extends Candidate {
  duplicateOfTs: number | null;
}

export interface SelectionRule {
  /** Least time between two kept frames, the anchors aside. */
  gapSec: number;
  /** How many to keep, at least 3. */
  limit: number;
}

/** Least time between two kept frames, seconds: max(2 s, duration / 60) (design/media.md). */
export function minimumGap(durationSec: number | null): number {
  return Math.max(2, (durationSec ?? 0) / 60);
}

/**
 * Keeps the first, the middle and the last candidate always, and between them, at the minimum gap,
 * those that show something other than the frame kept before them; a return to an earlier
 * picture is kept and marked. Flat frames are kept only when nothing else is.
 * @param candidates in order of time
 */
export function selectFrames(candidates: readonly Candidate[], rule: SelectionRule): KeptFrame[] {
  const anchors = anchorFrames(candidates);
  const gap = rule.gapSec - 0.01; // timestamps are whole milliseconds
  const kept: Candidate[] = [];
  let room = rule.limit - anchors.size;
  for (const candidate of candidates) {
    const wanted = room > 0 && isNews(candidate, kept, anchors, gap);
    if (!anchors.has(candidate) && !wanted) continue;
    if (!anchors.has(candidate)) room--;
    kept.push(candidate);
  }
  return markDuplicates(kept);
}

function isNews(
  candidate: Candidate,
  kept: readonly Candidate[],
  anchors: ReadonlySet<Candidate>,
  gap: number,
): boolean {
  const previous = kept.at(-1);
  if (candidate.print.flat || previous === undefined) return false;
  if (candidate.ts - previous.ts < gap || sameFrame(previous.print, candidate.print)) return false;
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

/** Each frame against all kept before it that are not duplicates themselves. */
export function markDuplicates(frames: readonly Candidate[]): KeptFrame[] {
  const originals: Candidate[] = [];
  return frames.map((frame) => {
    const original = originals.find((earlier) => sameFrame(earlier.print, frame.print));
    if (original === undefined) originals.push(frame);
    return { ...frame, duplicateOfTs: original?.ts ?? null };
  });
}
