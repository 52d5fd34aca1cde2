/**
 * Decides whether a server that answers nothing about an item thereby refuses it. Several answer so (`choices: []`) to
 * content that they block, but gateways also while a model is overloaded.
 */
import type { CallContext } from '../../types.ts';

/** For so long after an answer about one item, a server that says nothing about another one is not overloaded. */
const WITNESS_MS = 10 * 60_000;

export interface Silence {
  /** Returns true if silence about the item is a refusal: in a later try, while the server answers about other items. */
  isRefusal(context: Pick<CallContext, 'item' | 'isLaterTry'>): boolean;
  /** Records a usable answer. @param item see `CallContext` */
  ended(item: string | undefined): void;
}

/** @param now returns milliseconds, for tests */
export function createSilence(now: () => number = () => performance.now()): Silence {
  let last: { item: string; at: number } | null = null;
  return {
    isRefusal: ({ item, isLaterTry = false }) =>
      isLaterTry && last !== null && last.item !== item && now() - last.at <= WITNESS_MS,
    ended(item) {
      if (item !== undefined) last = { item, at: now() };
    },
  };
}
