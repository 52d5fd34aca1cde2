/**
 * Joins the judgements of a text as it was sent and as its readers see it. Tags and references can disguise words in
 * the text as it was sent, and its markup can contain words that readers never see.
 */
import type { Moderation, ModerationLevel } from '../results.ts';
import { mostSevereFirst, levelIn, severity } from './frameSafety.ts';
import { MAX_EVIDENCE } from './evidenceLimit.ts';

type Categories = Record<string, unknown>;

/**
 * Returns the more severe of two levels for the item and for each category. The result is `none` only if both levels
 * are `none`; instead of `none` it is unknown (null) if one of the two is unknown. Evidence of the plain text is added
 * for the categories in which the plain text is more severe. It has no place (`where: null`), because places refer to
 * the text as it was sent.
 * @param plain the judgement of the plain text, without pictures; null if it could not be made
 */
export function mergeJudgements(sent: Moderation, plain: Moderation | null): Moderation {
  const hidden = moreSevereInPlain(sent, plain);
  const added = (plain?.evidence ?? []).filter(
    ({ category }) => typeof category === 'string' && Object.hasOwn(hidden, category),
  );
  const evidence = [...(sent.evidence ?? []), ...added.map(withoutPlace)];
  return {
    level: levelOfBoth(sent.level, plain?.level ?? null),
    categories: categoriesOfBoth(sent.categories, plain, hidden),
    evidence: sent.evidence || added.length > 0 ? mostSevereFirst(evidence).slice(0, MAX_EVIDENCE) : null,
  };
}

/** Returns the categories in which the plain text is more severe, with their entries. */
function moreSevereInPlain(sent: Moderation, plain: Moderation | null): Categories {
  const moreSevere = Object.entries(plain?.categories ?? {}).filter(
    ([category, entry]) =>
      severity(levelIn(entry)) > Math.max(severity('none'), severity(levelIn(sent.categories?.[category]))),
  );
  return Object.fromEntries(moreSevere);
}

function categoriesOfBoth(
  sent: Moderation['categories'],
  plain: Moderation | null,
  hidden: Categories,
): Moderation['categories'] {
  if (sent === null) return Object.keys(hidden).length > 0 ? hidden : null;
  // The plain text is judged without pictures, so its level is null only if part of the text was not judged.
  const plainCategories = plain === null || plain.level === null ? null : plain.categories;
  const isClean = (category: string) => levelIn(plainCategories?.[category]) === 'none';
  const known = Object.entries(sent).map(([category, entry]) =>
    levelIn(entry) === 'none' && !isClean(category) ? [category, null] : [category, entry],
  );
  return { ...Object.fromEntries(known), ...hidden };
}

function levelOfBoth(sent: ModerationLevel | null, plain: ModerationLevel | null): ModerationLevel | null {
  const moreSevere = severity(plain) > severity(sent) ? plain : sent;
  if (severity(moreSevere) > severity('none')) return moreSevere;
  return sent === null || plain === null ? null : 'none';
}

/** Removes what refers to the plain text: the place, and the number of the piece in which a moderator read it. */
function withoutPlace({ chunk: _chunk, ...evidence }: Record<string, unknown>): Record<string, unknown> {
  return { ...evidence, where: null };
}
