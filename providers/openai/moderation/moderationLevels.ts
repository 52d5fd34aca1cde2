/** Converts category scores to levels. Pure. */
import { MAX_EVIDENCE } from '../../../domain/analysis/safety/evidenceLimit.ts';
import { MODERATION_LEVELS, type Moderation, type ModerationLevel } from '../../../domain/analysis/results.ts';
import { bounded } from '../calls/answerLimits.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { badAnswer } from '../calls/serverErrors.ts';

/**
 * Scores are the model's confidence from 0 to 1 that a category applies, not its severity. The steps are our choice:
 * below 0.2 the categories fire on ordinary prose; at 0.5 either answer is equally likely; from 0.8 on the model is
 * certain. A category that the provider itself flagged is at least `medium`, because its own thresholds differ by
 * category and are not published.
 */
export const LEVEL_THRESHOLDS = { low: 0.2, medium: 0.5, high: 0.8 } as const;

/** Maximum number of categories, and length of a category's name in code points. */
const MAX_CATEGORIES = 50;
const MAX_CATEGORY_LENGTH = 100;

/** Any doubt counts for these: one level higher than by the score alone. */
const STRICT_CATEGORIES = new Set(['sexual/minors']);

/** Categories that the model checks in images; its zeros for the others mean "not checked". */
const IMAGE_CATEGORIES = new Set([
  'sexual',
  'violence',
  'violence/graphic',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
]);

/** A piece of the text, in UTF-16 units. */
export interface TextRange {
  offset: number;
  length: number;
}

/** The source of a score: a chunk of the text (from 0) or a frame. */
export type Source = { kind: 'text'; chunk: number; where: TextRange } | { kind: 'frame'; frame: string };

/** `score` is null if the category was not checked. */
export interface Finding {
  category: string;
  score: number | null;
  level: ModerationLevel | null;
  source: Source;
}

/** The finding for a category that was checked. */
interface Judged {
  level: ModerationLevel | null;
  score: number;
}

/** @throws ProviderError if the result has no usable scores */
export function readScores(result: unknown, source: Source): Finding[] {
  const scores = isRecord(result) ? result['category_scores'] : undefined;
  if (!isRecord(result) || !isRecord(scores) || Object.keys(scores).length === 0) throw badAnswer('it has no scores');
  if (source.kind === 'text' && Object.values(scores).every((score) => score === null))
    throw badAnswer('it has no scores');
  return Object.entries(scores).map(([name, value]) => {
    const category = bounded(name, MAX_CATEGORY_LENGTH);
    if (!wasScored(result, name, value, source)) return { category, score: null, level: null, source };
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) throw badAnswer('a score is not between 0 and 1');
    const flags = isRecord(result['categories']) ? result['categories'] : {};
    return { category, score: value, level: levelOf(name, value, flags[name] === true), source };
  });
}

/** Returns whether a category was checked; the answer's own list decides if there is one. */
function wasScored(result: Record<string, unknown>, category: string, value: unknown, source: Source): boolean {
  if (value === null) return false;
  if (source.kind === 'text') return true;
  const applied = isRecord(result['category_applied_input_types'])
    ? result['category_applied_input_types'][category]
    : undefined;
  return Array.isArray(applied) ? applied.includes('image') : IMAGE_CATEGORIES.has(category);
}

function levelOf(category: string, score: number, flagged: boolean): ModerationLevel {
  const { low, medium, high } = LEVEL_THRESHOLDS;
  const byScore = score >= high ? 3 : score >= medium ? 2 : score >= low ? 1 : 0;
  const strict = byScore > 0 && STRICT_CATEGORIES.has(category) ? byScore + 1 : byScore;
  return MODERATION_LEVELS[Math.min(3, flagged ? Math.max(2, strict) : strict)] ?? 'high';
}

/** @param complete false if some of the evidence could not be scored: `none` then becomes null */
export function mergeFindings(findings: Finding[], complete: boolean): Moderation {
  const scored = findings.filter((finding) => finding.score !== null);
  if (scored.length === 0) return { level: null, categories: null, evidence: null };
  const worst = scored.reduce((left, right) => (severity(right) > severity(left) ? right : left)).level;
  return {
    level: worst === 'none' && !complete ? null : worst,
    categories: worstByCategory(findings),
    evidence: scored
      .filter((finding) => severity(finding) > 0)
      .sort((left, right) => severity(right) - severity(left) || (right.score ?? 0) - (left.score ?? 0))
      .slice(0, MAX_EVIDENCE)
      .map(({ category, level, score, source }) => ({ category, level, score, ...source })),
  };
}

/**
 * Returns category → `{level, score}` of its worst finding, or null if nothing was checked for it. If there
 * are more categories than a moderation may have, the most severe ones are returned; all of them count for the item's
 * level.
 */
function worstByCategory(findings: Finding[]): Record<string, unknown> {
  const worst = new Map<string, Judged | null>();
  for (const { category, level, score } of findings) {
    const known = worst.get(category) ?? null;
    const found = score === null ? null : { level, score };
    worst.set(category, found && (known === null || isWorse(found, known)) ? found : known);
  }
  if (worst.size <= MAX_CATEGORIES) return Object.fromEntries(worst);
  const worstFirst = [...worst].toSorted(([, left], [, right]) => byGravity(left, right));
  return Object.fromEntries(worstFirst.slice(0, MAX_CATEGORIES));
}

/** Orders the most severe first, then those with the highest score; what was not checked comes last. */
function byGravity(left: Judged | null, right: Judged | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return severity(right) - severity(left) || right.score - left.score;
}

function isWorse(one: Judged, other: Judged): boolean {
  return severity(one) > severity(other) || (severity(one) === severity(other) && one.score > other.score);
}

function severity(finding: Pick<Finding, 'level'>): number {
  return finding.level === null ? -1 : MODERATION_LEVELS.indexOf(finding.level);
}
