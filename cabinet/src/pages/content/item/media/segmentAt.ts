/** Finds the segment of a transcript at a time. */

/**
 * Returns the last segment that has begun by then, even in the pause after it; −1 before the first one.
 * @param segments sorted by start
 * @param time in seconds
 */
export function segmentAt(segments: readonly { start: number }[], time: number): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    // Players stop slightly before the requested position.
    if ((segments[middle]?.start ?? 0) <= time + TOLERANCE) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const TOLERANCE = 0.05;
