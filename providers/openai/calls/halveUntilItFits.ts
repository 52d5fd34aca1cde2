/** Reads ever shorter material until there is room in a model's context for it and for the answer. */
import { ProviderError } from '../../errors.ts';
import { TruncatedPromptError } from './cutPrompts.ts';
import { InputTooLargeError } from './serverErrors.ts';
import type { LearnedSize } from './learnedSize.ts';
import { partCharsFor } from './summaryParts.ts';

/** If more answers are cut off although the prompts get shorter, the context is not too small. */
const MAX_CUT_ANSWERS = 2;

export interface Halved<T> {
  result: T;
  /** The size with which reading succeeded; null if nothing was halved. */
  halvedTo: number | null;
}

export interface Material {
  /** See {@link CallContext}. */
  item: string | undefined;
  /** Characters of the whole material. If these are fewer than the size, their number is halved instead of the size. */
  length: number;
  /** A server whose context is smaller than this fails. */
  minChars: number;
}

/**
 * Calls `read` with half the size whenever the server cannot read it, for this item; an answer that is cut off halves
 * it at most twice. The size of later items changes if the server names its context, counts the same tokens for prompts
 * of different lengths, or refuses several items.
 * @param size characters of material in one call
 */
export async function halveUntilItFits<T>(
  size: LearnedSize,
  { item, length, minChars }: Material,
  read: (chars: number) => Promise<T>,
): Promise<Halved<T>> {
  let ownChars = Infinity;
  let cutAnswers = 0;
  const refusals = watchRefusals(size);
  for (;;) {
    const chars = Math.min(size.current(), ownChars);
    try {
      const result = await read(chars);
      refusals.learn(item);
      if (ownChars === Infinity) size.worked(Math.min(chars, length));
      return { result, halvedTo: ownChars === Infinity ? null : chars };
    } catch (error) {
      const usedChars = Math.min(chars, length);
      const isCut = isAnswerCut(error) && cutAnswers < MAX_CUT_ANSWERS;
      if ((!isTooLarge(error) && !isCut) || usedChars <= minChars) throw error;
      ownChars = Math.max(minChars, Math.floor(usedChars / 2));
      if (isTooLarge(error)) refusals.add(error, ownChars);
      else cutAnswers += 1;
    }
  }
}

/** Collects what the refusals of one item say about the server. */
function watchRefusals(size: LearnedSize) {
  let read: number | null = null;
  let counted: number | null = null;
  let contextTokens: number | null = null;

  return {
    /** @param nextChars the size that is tried next */
    add(error: InputTooLargeError, nextChars: number): void {
      read = nextChars;
      if (error instanceof TruncatedPromptError) {
        // If two prompts of different lengths have the same number of tokens, it is that of the context.
        if (error.tokens === counted) contextTokens = counted;
        counted = error.tokens;
      } else contextTokens = error.limitTokens ?? contextTokens;
    },
    /** Called when the item was read. */
    learn(item: string | undefined): void {
      if (read === null) return;
      if (contextTokens === null) return size.refused({ item, read });
      const roomy = partCharsFor(contextTokens);
      // If the context is as large as configured, the item just has too many tokens.
      if (roomy < size.most) size.limited(Math.max(read, roomy));
    },
  };
}

export function isTooLarge(error: unknown): error is InputTooLargeError {
  return error instanceof InputTooLargeError;
}

/** The context was full before the answer was complete, or the model writes without end. */
function isAnswerCut(error: unknown): boolean {
  return error instanceof ProviderError && error.code === 'provider_answer_truncated';
}
