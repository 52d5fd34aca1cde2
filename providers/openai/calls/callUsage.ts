/** Counts the cost of calls. Anything that a server does not report stays unknown (`null`), never 0. */
import type { CallContext, Provenance, Usage } from '../../types.ts';
import type { Answer, OpenAiApi } from './openAiApi.ts';
import { isRecord } from '../../../domain/isRecord.ts';

/** Returns the sum of two calls; a part that is unknown in either is unknown in the sum. */
export function addUsage(left: Usage | null, right: Usage): Usage {
  if (left === null) return right;
  return {
    inputTokens: add(left.inputTokens, right.inputTokens),
    outputTokens: add(left.outputTokens, right.outputTokens),
    audioSeconds: add(left.audioSeconds, right.audioSeconds),
    images: add(left.images, right.images),
  };
}

/** Returns the tokens of an answer's `usage`, under the names of either interface generation. */
export function tokenUsage(body: unknown): Usage {
  const usage = isRecord(body) && isRecord(body['usage']) ? body['usage'] : {};
  return {
    inputTokens: count(usage['prompt_tokens'] ?? usage['input_tokens']),
    outputTokens: count(usage['completion_tokens'] ?? usage['output_tokens']),
    audioSeconds: null,
    images: null,
  };
}

/** Reports the cost of an answer before it is processed any further. */
export async function bill(api: OpenAiApi, context: CallContext, { requestId }: Answer, usage: Usage): Promise<Usage> {
  await context.onUsage?.(provenanceOf(api, requestId), usage);
  return usage;
}

/** Returns the provenance: model and request. */
export function provenanceOf(api: Pick<OpenAiApi, 'model'>, requestId: string | null): Provenance {
  return { provider: 'openai', model: api.model, requestId };
}

/** Nothing was sent, so nothing was used: the only case in which the numbers are known to be 0. */
export const NO_CALLS: Usage = { inputTokens: 0, outputTokens: 0, audioSeconds: 0, images: 0 };

function add(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}

/**
 * Returns null for what cannot be a number of tokens: the table stores integers, so any other number would fail the
 * step.
 */
function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
