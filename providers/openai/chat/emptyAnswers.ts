/**
 * Decides whether a server refuses an item by answering nothing about it. Several servers answer like that
 * (`choices: []`) to content that they block, but gateways also do so while a model is overloaded.
 */
import type { CallContext } from '../../types.ts';

/** For this long after an answer about one item, a server that says nothing about another one is not overloaded. */
const WITNESS_MS = 10 * 60_000;

export interface EmptyAnswers {
  /**
   * Returns true if an empty answer about the item is a refusal: in the last quick attempt after a try without a
   * usable answer, while the server answers about other items.
   */
  isRefusal(context: Pick<CallContext, 'item' | 'wasUnanswered' | 'isLastAttempt'>): boolean;
  /** Records a usable answer. @param item see `CallContext` */
  recordAnswer(item: string | undefined): void;
}

/** @param now returns milliseconds, for tests */
export function createEmptyAnswers(now: () => number = () => performance.now()): EmptyAnswers {
  // The last answers about two different items: at least one of them is about another item than the one in question.
  let last: { item: string; at: number }[] = [];
  return {
    isRefusal({ item, wasUnanswered = false, isLastAttempt = false }) {
      if (!wasUnanswered || !isLastAttempt) return false;
      return last.some((answer) => answer.item !== item && now() - answer.at <= WITNESS_MS);
    },
    recordAnswer(item) {
      if (item === undefined) return;
      last = [{ item, at: now() }, ...last.filter((answer) => answer.item !== item)].slice(0, 2);
    },
  };
}
