/** From a question to its ranking: a ranker for each kind. */
import type { Catalogue } from './catalogue.ts';
import { diversified, neededFor } from './diversified.ts';
import type { RankAnswer, RankQuestion } from './messages.ts';
import { rankSimilar } from './rankSimilar.ts';

/** What every ranker gives is arranged by content where the question wants that. */
export function rank(catalogue: Catalogue, question: RankQuestion): RankAnswer {
  const limit = neededFor(question.ordering, question.limit);
  return diversified(catalogue, rankKind(catalogue, { ...question, limit }), question);
}

function rankKind(catalogue: Catalogue, question: RankQuestion): RankAnswer {
  switch (question.kind) {
    case 'similar':
      return rankSimilar(catalogue, question);
  }
}
