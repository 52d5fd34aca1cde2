import { AGE_RATINGS, type AgeRating } from '../../../domain/output/mayShow.ts';
import type { Category, FoundLevel } from './categories.ts';
import { findTerms } from './matchLexicon.ts';

/**
 * Minimum age for each finding of a lexicon, after the grades of the Russian federal law 436-FZ (articles 8–10: obscene
 * language and pornography 18+, coarse words and violence without approval 16+, mentions 12+).
 */
const MIN_AGE: Readonly<Record<Category, Readonly<Record<FoundLevel, AgeRating>>>> = {
  profanity: { low: '12+', medium: '16+', high: '18+' },
  sexual: { low: '16+', medium: '18+', high: '18+' },
  violence: { low: '12+', medium: '16+', high: '18+' },
  drugs: { low: '16+', medium: '18+', high: '18+' },
  self_harm: { low: '16+', medium: '16+', high: '18+' },
};

/**
 * Returns the strictest rating of all terms found; null if none was found. The absence of words proves nothing, so a
 * lexicon can never grant "0+" or "6+".
 */
export function ageRatingOf(text: string): AgeRating | null {
  let rating: AgeRating | null = null;
  for (const { category, level } of findTerms(text)) {
    const minAge = MIN_AGE[category][level];
    if (rating === null || AGE_RATINGS.indexOf(minAge) > AGE_RATINGS.indexOf(rating)) rating = minAge;
  }
  return rating;
}
