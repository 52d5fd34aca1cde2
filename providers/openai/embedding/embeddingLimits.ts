/** Keeps embedding requests within the provider's token limits without its tokeniser. Pure. */
import { BATCH_SIZES } from '../calls/batchSizes.ts';

/** Tokens that the usual models read of one text. */
export const MAX_TOKENS_PER_TEXT = 8_192;
const MAX_TOKENS_PER_REQUEST = 300_000;

/**
 * Returns an upper bound for the tokens of a text. There are never more byte-pair tokens than UTF-8 bytes. Letters
 * always merge to some degree, so their bound is tighter: 3/4 of a token for each Latin letter, digit and space (random
 * base64 needs about 0.7, prose 0.25), and one for each Cyrillic letter (prose needs 0.4 to 0.5). Everything else
 * counts its bytes.
 */
export function boundTokens(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += tokensOf(character);
  return Math.ceil(tokens);
}

/** Returns the text, cut after its last whole character within the limit of one input. */
export function truncateToTokens(text: string, mostTokens = MAX_TOKENS_PER_TEXT): string {
  // No UTF-16 unit counts more than 3, so short texts need no loop.
  if (text.length * 3 <= mostTokens) return text;
  let tokens = 0;
  let length = 0;
  for (const character of text) {
    tokens += tokensOf(character);
    if (tokens > mostTokens) return text.slice(0, length);
    length += character.length;
  }
  return text;
}

/** Returns consecutive batches, each within the limits of one request. */
export function planBatches(texts: string[], mostTexts: number = BATCH_SIZES.embedding.usual): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let tokens = 0;
  for (const text of texts) {
    const size = boundTokens(text);
    if (batch.length === mostTexts || tokens + size > MAX_TOKENS_PER_REQUEST) {
      batches.push(batch);
      [batch, tokens] = [[], 0];
    }
    batch.push(text);
    tokens += size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function tokensOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return /[A-Za-z0-9 ]/.test(character) ? 0.75 : 1;
  if (code >= 0x400 && code <= 0x4ff) return 1;
  return code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
}
