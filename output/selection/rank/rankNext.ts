/** Ranks what to show after a session: by what followed its items in other sessions, and by content. */
import { MAX_TASTE_ITEMS, SESSION_FADING } from '../../models/itemModel.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { NextQuestion } from '../../messages/selectionMessages.ts';
import { modelFor } from '../catalogue/modelFor.ts';
import { PartScores } from './scores/partScores.ts';
import {
  addAuthors,
  addInterests,
  addNeighbours,
  addRows,
  byRecency,
  idsOf,
  namesOf,
  NO_MODEL_BLEND,
  slotsOf,
} from './personParts.ts';
import { rankByParts, type Part, type PartsRanking } from './rankByParts.ts';

const SCORES = {
  transition: new PartScores(),
  together: new PartScores(),
  content: new PartScores(),
  author: new PartScores(),
  taste: new PartScores(),
  interests: new PartScores(),
  authors: new PartScores(),
};

/**
 * Items that follow the session count most, then those that people see together with its items at any time, and those
 * similar to them. The person counts less than the session: taste, interests and followed authors have about a
 * quarter of their weight in a feed.
 */
const WEIGHTS = {
  transition: 1,
  together: 0.5,
  content: 0.5,
  author: 0.15,
  taste: 0.25,
  interests: 0.1,
  authors: 0.1,
};
/** The parts that reflect the person. */
const PERSONAL: ReadonlySet<keyof typeof SCORES> = new Set(['taste', 'interests', 'authors']);
const POPULARITY = 0.1;
const RECENCY = 0.05;

export function rankNext(catalogue: Catalogue, question: NextQuestion): PartsRanking {
  const model = modelFor(catalogue, question);
  const latest = question.session.toReversed().map((item) => ({ item, weight: 1 }));
  const session = byRecency(slotsOf(catalogue, latest), SESSION_FADING);
  const items = byRecency(
    slotsOf(catalogue, question.taste.items.slice(0, MAX_TASTE_ITEMS)),
    model?.blend ?? NO_MODEL_BLEND,
  );
  const { interests, followedAuthors } = question.taste;
  const author = catalogue.itemAt(session[0]?.slot ?? -1)?.author ?? null;
  const own = author === null ? [] : [author];
  for (const scores of Object.values(SCORES)) scores.reset(catalogue.size);
  if (model) {
    addRows(SCORES.transition, model.transition, session);
    addRows(SCORES.together, model.taste, session);
    addRows(SCORES.taste, model.taste, items);
  }
  addNeighbours(SCORES.content, catalogue, session, catalogue.newBudget());
  addAuthors(SCORES.author, catalogue, own);
  addInterests(SCORES.interests, catalogue, interests);
  addAuthors(SCORES.authors, catalogue, followedAuthors);
  const part = (name: keyof typeof SCORES, code: Part['code'], names: readonly string[]): Part => ({
    name,
    weight: WEIGHTS[name],
    scores: SCORES[name],
    isPersonal: PERSONAL.has(name),
    code,
    names,
  });
  const ranking = rankByParts(catalogue, question, {
    parts: [
      part('transition', 'because_item', idsOf(session)),
      part('together', 'because_item', idsOf(session)),
      part('content', 'similar', idsOf(session)),
      part('author', 'author', own),
      part('taste', 'because_item', idsOf(items)),
      part('interests', 'interest', namesOf(interests)),
      part('authors', 'author', followedAuthors),
    ],
    popularity: POPULARITY,
    recency: RECENCY,
  });
  return { ...ranking, model: ranking.mode === 'popular' ? null : (model?.id ?? null) };
}
