/**
 * Ranks the items for a person: by what people who met the same items also met, and by content, interests, authors and
 * places.
 */
import { MAX_TASTE_ITEMS, SESSION_FADING, SESSION_ITEMS } from '../../models/itemModel.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { FeedQuestion } from '../../messages/selectionMessages.ts';
import { modelFor } from '../catalogue/modelFor.ts';
import { PartScores } from './scores/partScores.ts';
import {
  addAuthors,
  addInterests,
  addNeighbours,
  addPlaces,
  addUnmet,
  addRows,
  byRecency,
  idsOf,
  namesOf,
  NO_MODEL_BLEND,
  slotsOf,
  totalOf,
  unknownShare,
} from './personParts.ts';
import { rankByParts, type Part, type PartsRanking } from './rankByParts.ts';

const SCORES = {
  taste: new PartScores(),
  transition: new PartScores(),
  content: new PartScores(),
  unmet: new PartScores(),
  interests: new PartScores(),
  authors: new PartScores(),
  places: new PartScores(),
};

/**
 * Shares of the weight of the model's own parts. The person stated interests and authors, but they seldom reflect the
 * mood of the day.
 */
const INTERESTS = 0.35;
const AUTHORS = 0.35;
/**
 * Share of the weight of taste: similarity to an item that hardly anybody has met is worth half of what people's
 * behaviour would be.
 */
const UNMET = 0.5;
/** More than general popularity, less than anything a person has stated. */
const PLACES = 0.3;
/** Only breaks ties. */
const RECENCY = 0.05;

export function rankFeed(catalogue: Catalogue, question: FeedQuestion): PartsRanking {
  const { taste, places } = question;
  const model = modelFor(catalogue, question);
  const blend = model?.blend ?? NO_MODEL_BLEND;
  const met = slotsOf(catalogue, taste.items.slice(0, MAX_TASTE_ITEMS));
  const items = byRecency(met, blend);
  // Only a few items are compared by content: the heaviest recent ones.
  const recent = byRecency(met, { halfLifeEvents: blend.halfLifeEvents });
  const last = byRecency(slotsOf(catalogue, taste.items.slice(0, SESSION_ITEMS)), SESSION_FADING);
  for (const scores of Object.values(SCORES)) scores.reset(catalogue.size);
  if (model) {
    addRows(SCORES.taste, model.taste, items);
    addRows(SCORES.transition, model.transition, last);
  }
  addNeighbours(SCORES.content, catalogue, recent, catalogue.newBudget());
  const unknown = model ? unknownShare(items, model) : 1;
  if (model) addUnmet(SCORES.unmet, SCORES.content, model, unknown);
  addInterests(SCORES.interests, catalogue, taste.interests);
  addAuthors(SCORES.authors, catalogue, taste.followedAuthors);
  addPlaces(SCORES.places, catalogue, places);
  const whole = totalOf(blend);
  const part = (name: keyof typeof SCORES, weight: number, code: Part['code'], names: readonly string[]): Part => ({
    name,
    weight,
    scores: SCORES[name],
    isPersonal: name !== 'places',
    code,
    names,
  });
  const ranking = rankByParts(catalogue, question, {
    parts: [
      part('taste', blend.taste, 'because_item', idsOf(items)),
      part('transition', blend.transition, 'because_item', idsOf(last)),
      part('content', blend.content * unknown, 'similar', idsOf(items)),
      { ...part('unmet', UNMET * blend.taste, 'similar', idsOf(items)), unit: SCORES.content },
      part('interests', INTERESTS * whole, 'interest', namesOf(taste.interests)),
      part('authors', AUTHORS * whole, 'author', taste.followedAuthors),
      part('places', PLACES * whole, 'region', namesOf(places)),
    ],
    // The blend was chosen for people with a history.
    popularity: met.length > 0 ? blend.popularity : Math.max(blend.popularity, NO_MODEL_BLEND.popularity),
    recency: RECENCY * whole,
  });
  return { ...ranking, model: ranking.mode === 'personal' ? (model?.id ?? null) : null };
}
