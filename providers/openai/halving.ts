/** Reads ever shorter material until there is room in a model's context for it and for the answer. */
import { ProviderError } from '../errors.ts';
import { CutPromptError } from './cutPrompts.ts';

/** If more answers are cut off although the prompts get shorter, the context is not too small. */
const MAX_CUT_ANSWERS = 2;

/** Shared by all items: it becomes smaller if a prompt is too large for the server. */
export interface MaterialSize {
  /** Maximum characters of material in one call. */
  chars: number;
}

export interface Halved<T> {
  result: T;
  /** The size with which reading succeeded; null if nothing was halved. */
  halvedTo: number | null;
}

/**
 * Calls `read` with half the size whenever the server cannot read it. A prompt that is too large halves the size for
 * later items too; an answer that is cut off halves it for this item only, at most twice.
 * @param length of the item's material; shorter material than the size is halved itself
 * @param minChars a server whose context is smaller than this fails
 */
export async function halving<T>(
  size: MaterialSize,
  { length, minChars }: { length: number; minChars: number },
  read: (chars: number) => Promise<T>,
): Promise<Halved<T>> {
  let ownChars = Infinity;
  let cutAnswers = 0;
  let suspectedTokens: number | null = null;
  for (;;) {
    const chars = Math.min(size.chars, ownChars);
    try {
      return { result: await read(chars), halvedTo: ownChars === Infinity ? null : chars };
    } catch (error) {
      const usedChars = Math.min(chars, length);
      const isCut = isAnswerCut(error) && cutAnswers < MAX_CUT_ANSWERS;
      if ((!isTooLarge(error) && !isCut) || usedChars <= minChars) throw error;
      ownChars = Math.max(minChars, Math.floor(usedChars / 2));
      if (isCut) cutAnswers += 1;
      const suspected: number | null = error instanceof CutPromptError && !error.isCertain ? error.tokens : null;
      // A count of tokens that two prompts of different lengths have is that of the context.
      const isCertain = suspected === null || suspected === suspectedTokens;
      suspectedTokens = suspected;
      // Another item may have halved it meanwhile.
      if (!isCut && isCertain) size.chars = Math.min(size.chars, ownChars);
    }
  }
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof ProviderError && error.code === 'provider_input_too_large';
}

/** The context was full before the answer was complete, or the model writes without end. */
function isAnswerCut(error: unknown): boolean {
  return error instanceof ProviderError && error.code === 'provider_answer_truncated';
}
