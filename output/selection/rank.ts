/** From a question to its ranking: a ranker for each kind. */
import type { Catalogue } from './catalogue.ts';
import type { RankAnswer, RankQuestion } from './messages.ts';
import { rankSimilar } from './rankSimilar.ts';

export function rank(catalogue: Catalogue, question: RankQuestion): RankAnswer {
  switch (question.kind) {
    case 'similar':
      return rankSimilar(catalogue, question);
  }
}
