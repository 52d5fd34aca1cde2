/** Embeds batches in pieces as small as the server accepts. */
import type { CallContext, Usage } from '../../types.ts';
import { addUsage } from '../calls/callUsage.ts';
import { boundTokens, truncateToTokens } from './embeddingLimits.ts';
import { InputTooLargeError } from '../calls/serverErrors.ts';

/** A server that reads less than this of a text fails. */
const MIN_TOKENS = 64;

/** The sizes of one run. */
export interface Limits {
  /** Tokens of one text. */
  tokens: number;
  /** Texts in one request. */
  texts: number;
}

export interface Embedded {
  /** One for each text, in its order. */
  vectors: Float32Array[];
  /** Id of the last request. */
  requestId: string | null;
  usage: Usage;
}

type EmbedWithin = (input: string[], limits: Limits, context: CallContext) => Promise<Embedded>;

/**
 * @param embed makes one request
 * @param onLimit called with the tokens of one text when the server names a smaller limit
 * @returns a function that embeds texts within the limits of a run, which it lowers when the server refuses
 */
export function createBatchEmbedder(
  embed: (input: string[], context: CallContext) => Promise<Embedded>,
  onLimit: (tokens: number) => void,
): EmbedWithin {
  return embedWithin;

  async function embedWithin(input: string[], limits: Limits, context: CallContext): Promise<Embedded> {
    const cut = input.map((text) => truncateToTokens(text, limits.tokens));
    if (cut.length > limits.texts) return embedHalves(cut, limits, context);
    try {
      return await embed(cut, context);
    } catch (error) {
      if (!(error instanceof InputTooLargeError)) throw error;
      const longest = Math.max(...cut.map(boundTokens));
      const { limitTokens } = error;
      if (limitTokens !== null && limitTokens < longest && limitTokens >= MIN_TOKENS) {
        limits.tokens = limitTokens;
        onLimit(limitTokens);
      } else if (cut.length > 1) {
        return embedTooMany(cut, limits, context);
      } else {
        const half = Math.floor(longest / 2);
        if (half < MIN_TOKENS) throw error;
        limits.tokens = half;
      }
      return embedWithin(cut, limits, context);
    }
  }

  /** The batch or one of its texts was too large. */
  async function embedTooMany(input: string[], limits: Limits, context: CallContext): Promise<Embedded> {
    const before = limits.tokens;
    const answer = await embedHalves(input, limits, context);
    // If no text was, the batch was.
    if (limits.tokens === before) limits.texts = Math.min(limits.texts, Math.ceil(input.length / 2));
    return answer;
  }

  async function embedHalves(input: string[], limits: Limits, context: CallContext): Promise<Embedded> {
    const half = Math.ceil(input.length / 2);
    const left = await embedWithin(input.slice(0, half), limits, context);
    const right = await embedWithin(input.slice(half), limits, context);
    const usage = addUsage(left.usage, right.usage);
    return { vectors: [...left.vectors, ...right.vectors], requestId: right.requestId, usage };
  }
}
