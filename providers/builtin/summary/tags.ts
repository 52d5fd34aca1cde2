/** The tags of an item, and how many of them it may have. */
import type { SummaryInput } from '../../types.ts';
import { tagsOutsideTopics } from '../../tagsOutsideTopics.ts';
import type { Zone } from '../text/weightedTextZones.ts';

/** Tags that even the shortest text may have. */
const MIN_TAGS = 3;
/** Words of a text for each further tag. */
const WORDS_PER_TAG = 12;
const MAX_TAGS = 10;

/** Returns the maximum number of tags that a text may have. */
export function maxTags(zones: readonly Zone[]): number {
  const words = zones.reduce((sum, { text }) => sum + text.length / 6, 0);
  return Math.min(MAX_TAGS, MIN_TAGS + Math.floor(words / WORDS_PER_TAG));
}

/** Returns keywords, then tags of at least half of the frames; neither contain topics. */
export function tagsOf(
  keywords: readonly string[],
  topics: readonly string[],
  frames: SummaryInput['frames'],
): string[] {
  const counts = new Map<string, number>();
  for (const frame of frames) for (const tag of new Set(frame.tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count * 2 >= frames.length).sort((a, b) => b[1] - a[1]);
  const ofFrames = common.map(([tag]) => tag);
  return tagsOutsideTopics(
    [
      ...tagsOutsideTopics(keywords, topics).slice(0, MAX_TAGS),
      ...tagsOutsideTopics(ofFrames, topics).slice(0, MAX_TAGS / 2),
    ],
    topics,
  );
}
