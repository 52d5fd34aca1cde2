/** Adds what was seen in the pictures of an item to its moderation. */
import { MODERATION_LEVELS, type Moderation, type ModerationLevel } from './results.ts';

const MAX_EVIDENCE = 20;

export interface SeenFrame {
  mediumId: string;
  /** Seconds from the start of the medium. */
  ts: number;
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
  pictures: readonly Pick<SeenFrame, 'mediumId' | 'ts'>[];
  hasText: boolean;
}

/**
 * Adds the levels that the vision step gave to frames. The item's level is the most severe of all. It is `none` only
 * when the text was judged, and every picture in every category; anything not judged stays unknown (null).
 */
export function withFrameSafety(moderation: Moderation, { frames, pictures, hasText }: Seen): Moderation {
  const found = frames.flatMap(findingsOf).sort((a, b) => rank(b.level) - rank(a.level));
  const gravest = found[0]?.level ?? null;
  const isAllRated = (!hasText || moderation.categories !== null) && areAllSeen(frames, pictures);
  const level = graver(moderation.level, gravest) ?? (isAllRated ? 'none' : null);
  if (found.length === 0) return { ...moderation, level };
  return {
    level,
    categories: mergedCategories(moderation.categories, found),
    evidence: [
      ...(moderation.evidence ?? []),
      ...found.map(({ category, level: seen, frame }) => ({
        category,
        level: seen,
        score: null,
        kind: 'frame',
        frame,
      })),
    ].slice(0, MAX_EVIDENCE),
  };
}

function findingsOf({ mediumId, ts, safety }: SeenFrame): Found[] {
  return Object.entries(safety ?? {}).flatMap(([category, level]) =>
    isLevel(level) && level !== 'none' ? [{ category, level, frame: `${mediumId}:${ts}` }] : [],
  );
}

function areAllSeen(frames: readonly SeenFrame[], pictures: Seen['pictures']): boolean {
  const rated = new Set(frames.filter(isFullyRated).map(({ mediumId, ts }) => `${mediumId}:${ts}`));
  return pictures.length > 0 && pictures.every(({ mediumId, ts }) => rated.has(`${mediumId}:${ts}`));
}

function isFullyRated({ safety }: SeenFrame): boolean {
  const levels = Object.values(safety ?? {});
  return levels.length > 0 && levels.every(isLevel);
}

/** A moderator's entry is a level or an object with one. The most severe entry is kept, in its own form. */
function mergedCategories(categories: Moderation['categories'], found: readonly Found[]): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...categories };
  for (const { category, level } of found) if (rank(level) > rank(levelIn(merged[category]))) merged[category] = level;
  return merged;
}

function levelIn(entry: unknown): ModerationLevel | null {
  const value: unknown = typeof entry === 'object' && entry !== null && 'level' in entry ? entry.level : entry;
  return isLevel(value) ? value : null;
}

function graver(a: ModerationLevel | null, b: ModerationLevel | null): ModerationLevel | null {
  return rank(a) >= rank(b) ? a : b;
}

function rank(level: ModerationLevel | null): number {
  return level === null ? -1 : MODERATION_LEVELS.indexOf(level);
}

function isLevel(value: unknown): value is ModerationLevel {
  return MODERATION_LEVELS.some((level) => level === value);
}
