/** Adds what was seen in the pictures of an item to its moderation. */
import { MODERATION_LEVELS, type Moderation, type ModerationLevel } from '../results.ts';
import { areAllAmong, hasUnreadMedia, keyOf, type ExaminedMedium, type PicturePlace } from './missingEvidence.ts';
import { MAX_EVIDENCE } from './evidenceLimit.ts';

const UNJUDGED: Moderation = { level: null, categories: null, evidence: null };

export interface SeenFrame extends PicturePlace {
  /** Category → level, or null for a category that was not judged; null when nobody judged the frame. */
  safety: Record<string, unknown> | null;
}

interface Found {
  category: string;
  level: ModerationLevel;
  frame: string;
}

interface Seen {
  frames: readonly SeenFrame[];
  /** Every picture of the item that is worth describing. */
  pictures: readonly PicturePlace[];
  /** Those of the pictures that the moderator received. */
  shown: readonly PicturePlace[];
  media: readonly ExaminedMedium[];
  hasText: boolean;
}

/**
 * Adds the levels that the vision step gave to frames. The item's level is the most severe of all. It is `none` only
 * when all of the item was judged: its text, each medium to its end with its speech, and every picture, by the
 * moderator or by the vision step in every category. If anything was not judged, it stays unknown (null).
 * @param moderation its level is `none` only if the moderator judged all that it received
 */
export function withFrameSafety(moderation: Moderation, seen: Seen): Moderation {
  const judged = withFound(moderation, foundIn(seen.frames));
  if (severity(judged.level) > severity('none')) return judged;
  return { ...judged, level: isAllJudged(moderation, seen) ? 'none' : null };
}

/**
 * Returns what the vision step found in frames, for an item without the judgement of a moderator; null when it found
 * nothing, which is not a judgement.
 */
export function safetyOfFrames(frames: readonly SeenFrame[]): Moderation | null {
  const found = foundIn(frames);
  return found.length === 0 ? null : withFound(UNJUDGED, found);
}

/** Returns the places of the frames that were judged in every category. */
export function ratedPlaces(frames: readonly SeenFrame[]): PicturePlace[] {
  return frames.filter(isFullyRated);
}

/** Returns what was found, the most severe first. */
function foundIn(frames: readonly SeenFrame[]): Found[] {
  return frames.flatMap(findingsOf).toSorted((a, b) => severity(b.level) - severity(a.level));
}

function findingsOf({ safety, ...place }: SeenFrame): Found[] {
  return Object.entries(safety ?? {}).flatMap(([category, level]) =>
    isLevel(level) && level !== 'none' ? [{ category, level, frame: keyOf(place) }] : [],
  );
}

function withFound(moderation: Moderation, found: readonly Found[]): Moderation {
  const [mostSevere] = found;
  if (mostSevere === undefined) return moderation;
  const seen = found.map(({ category, level, frame }) => ({ category, level, score: null, kind: 'frame', frame }));
  return {
    level: moreSevere(moderation.level, mostSevere.level),
    categories: mergedCategories(moderation.categories, found),
    evidence: mostSevereFirst([...(moderation.evidence ?? []), ...seen]).slice(0, MAX_EVIDENCE),
  };
}

/** Returns the evidence with the most severe level first; evidence of the same level keeps its order. */
export function mostSevereFirst(evidence: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return evidence.toSorted((a, b) => severity(levelIn(b)) - severity(levelIn(a)));
}

function isAllJudged(moderation: Moderation, { frames, pictures, shown, media, hasText }: Seen): boolean {
  if (hasUnreadMedia(media) || (hasText && !isTextJudged(moderation))) return false;
  const judgedByModerator = moderation.level === null ? [] : shown;
  const judged = [...ratedPlaces(frames), ...judgedByModerator];
  return (hasText || pictures.length > 0) && areAllAmong(pictures, judged);
}

/** A moderator that judged the text but not the pictures gives a level for each category, but none for the item. */
function isTextJudged({ level, categories }: Moderation): boolean {
  const entries = Object.values(categories ?? {});
  return level !== null || (entries.length > 0 && entries.every((entry) => entry !== null));
}

function isFullyRated({ safety }: SeenFrame): boolean {
  const levels = Object.values(safety ?? {});
  return levels.length > 0 && levels.every(isLevel);
}

/** A moderator's entry is a level or an object with one. The most severe entry is kept, in its own form. */
function mergedCategories(categories: Moderation['categories'], found: readonly Found[]): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...categories };
  for (const { category, level } of found)
    if (severity(level) > severity(levelIn(merged[category]))) merged[category] = level;
  return merged;
}

/** Returns the level of an entry of `categories`, or of a piece of evidence; null if it has none. */
export function levelIn(entry: unknown): ModerationLevel | null {
  const value: unknown = typeof entry === 'object' && entry !== null && 'level' in entry ? entry.level : entry;
  return isLevel(value) ? value : null;
}

function moreSevere(a: ModerationLevel | null, b: ModerationLevel | null): ModerationLevel | null {
  return severity(a) >= severity(b) ? a : b;
}

/** Returns how severe a level is, from 0 for `none`; −1 for an unknown one. */
export function severity(level: ModerationLevel | null): number {
  return level === null ? -1 : MODERATION_LEVELS.indexOf(level);
}

function isLevel(value: unknown): value is ModerationLevel {
  return MODERATION_LEVELS.some((level) => level === value);
}
