/** Ranks a question with the ranker of its kind. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import { diversified, neededFor } from './diversified.ts';
import type { FeedQuestion, NextQuestion, RankAnswer, RankQuestion } from '../../messages/selectionMessages.ts';
import { withNewcomers } from './newItems.ts';
import { rankFeed } from './rankFeed.ts';
import { rankNext } from './rankNext.ts';
import { rankPopular } from './rankPopular.ts';
import { rankSimilar } from './rankSimilar.ts';
import { rankTogether } from './rankTogether.ts';

/** Ranks a question, arranges the result by content where the question requires it, and then places new items. */
export function rank(catalogue: Catalogue, question: RankQuestion): RankAnswer {
  const limit = neededFor(question.ordering, question.limit);
  switch (question.kind) {
    case 'similar':
      return diversified(catalogue, rankSimilar(catalogue, { ...question, limit }), question);
    case 'popular':
      return diversified(catalogue, rankPopular(catalogue, { ...question, limit }), question);
    case 'together':
      return diversified(catalogue, rankTogether(catalogue, { ...question, limit }), question);
    case 'feed':
    case 'next':
      return rankForPerson(catalogue, question, limit);
  }
}

function rankForPerson(catalogue: Catalogue, question: FeedQuestion | NextQuestion, limit: number): RankAnswer {
  const { newcomers, ...ranking } =
    question.kind === 'feed'
      ? rankFeed(catalogue, { ...question, limit })
      : rankNext(catalogue, { ...question, limit });
  return withNewcomers(diversified(catalogue, ranking, question), newcomers, question);
}
