/** From category scores to levels. Pure. */
import type { Moderation, ModerationLevel } from '../types.ts';
import { badAnswer, isRecord } from './errors.ts';

/**
 * Scores are the model's confidence from 0 to 1 that a category applies, not its severity. The steps
 * are ours: below 0.2 the categories fire on ordinary prose; 0.5 is where either answer is as likely;
 * from 0.8 on the model is sure. A category that the provider itself flagged is `medium` at least,
 * because its own thresholds differ by category and are not published.
 */
export const LEVEL_THRESHOLDS = { low: 0.2, medium: 0.5, high: 0.8 } as const;

/** For these any doubt weighs: one level higher than the score alone says. */
const STRICT_CATEGORIES = new Set(['sexual/minors']);

/** What the model looks for in images; its zeros for the other categories mean "not looked at". */
const IMAGE_CATEGORIES = new Set([
  'sexual',
  'violence',
  'violence/graphic',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
]);

const LEVELS: readonly ModerationLevel[] = ['none', 'low', 'medium', 'high'];
const MAX_EVIDENCE = 20;

/** Where a score comes from: a chunk of the text (from 0) or a frame. */
export type Source = { kind: 'text'; chunk: number } | { kind: 'frame'; frame: string };

/** `score` is null when the category was not looked at. */
export interface Finding {
  category: string;
  score: number | null;
  level: ModerationLevel | null;
  source: Source;
}

/** @throws ProviderError when the result has no usable scores */
export function readScores(result: unknown, source: Source): Finding[] {
  const scores = isRecord(result) ? result['category_scores'] : undefined;
  if (!isRecord(result) || !isRecord(scores) || Object.keys(scores).length === 0) throw badAnswer('it has no scores');
  return Object.entries(scores).map(([category, value]) => {
    if (!wasScored(result, category, value, source)) return { category, score: null, level: null, source };
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) throw badAnswer('a score is not between 0 and 1');
    const flags = isRecord(result['categories']) ? result['categories'] : {};
    return { category, score: value, level: levelOf(category, value, flags[category] === true), source };
  });
}

/** The answer's own list of what was looked at decides where there is one. */
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
  return LEVELS[Math.min(3, flagged ? Math.max(2, strict) : strict)] ?? 'high';
}

/** @param complete false when some of the evidence could not be scored: `none` then becomes null */
export function mergeFindings(findings: Finding[], complete: boolean): Moderation {
  const scored = findings.filter((finding) => finding.score !== null);
  if (scored.length === 0) return { level: null, categories: null, evidence: null };
  const worst = scored.reduce((left, right) => (rank(right) > rank(left) ? right : left)).level;
  return {
    level: worst === 'none' && !complete ? null : worst,
    categories: worstByCategory(findings),
    evidence: scored
      .filter((finding) => rank(finding) > 0)
      .sort((left, right) => rank(right) - rank(left) || (right.score ?? 0) - (left.score ?? 0))
      .slice(0, MAX_EVIDENCE)
      .map(({ category, level, score, source }) => ({ category, level, score, ...source })),
  };
}

/** Category → `{level, score}` of its worst finding, or null when nothing was looked at for it. */
function worstByCategory(findings: Finding[]): Record<string, unknown> {
  const worst = new Map<string, { level: ModerationLevel | null; score: number } | null>();
  for (const { category, level, score } of findings) {
    const known = worst.get(category) ?? null;
    const better = score !== null && (known === null || score > known.score);
    worst.set(category, better ? { level, score } : known);
  }
  return Object.fromEntries(worst);
}

function rank(finding: Finding): number {
  return finding.level === null ? -1 : LEVELS.indexOf(finding.level);
}
