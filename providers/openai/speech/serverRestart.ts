/** Waits for a server that went down, for example because of what it was sent. */
import { setTimeout as wait } from 'node:timers/promises';
import { ProviderError } from '../../errors.ts';
import { withProgress } from '../../progress.ts';
import type { CallContext } from '../../types.ts';
import { requestJson, type OpenAiApi } from '../calls/openAiApi.ts';
import { ServerUnavailableError } from '../calls/serverErrors.ts';
import { createRequestLimiter, NO_PACE } from '../calls/requestPace.ts';

/**
 * The waits between questions to a server that is down, as multiples of the first one of a second: a minute together,
 * enough for a container that restarts and loads a model.
 */
const WAITS = [1, 2, 4, 8, 15, 30] as const;
/** A server that is busy with a piece may answer nothing else meanwhile. */
const MAX_ANSWER_MS = 10_000;

/** The server is down for longer than a restart takes. */
export class RestartTimeoutError extends ProviderError {
  constructor() {
    super('retryable', 'provider_unreachable', 'The provider did not come back');
  }
}

/**
 * Asks a server for its models until it answers anything, even that it has no such function, or until it accepts the
 * request without answering in time.
 * @param unitMs the first wait, in milliseconds
 * @throws RestartTimeoutError after a minute, or the signal's reason
 */
export async function waitForServer(api: OpenAiApi, context: CallContext, unitMs: number): Promise<void> {
  const requestTimeoutMs = Math.min(MAX_ANSWER_MS, api.requestTimeoutMs);
  const prompt: OpenAiApi = { ...api, requestTimeoutMs, pace: createRequestLimiter(NO_PACE) };
  for (const waits of WAITS) {
    if (await isBack(prompt, context)) return;
    await pause(waits * unitMs, context);
  }
  if (!(await isBack(prompt, context))) throw new RestartTimeoutError();
}

async function isBack(api: OpenAiApi, context: CallContext): Promise<boolean> {
  try {
    await requestJson(api, context, (client, options) => client.models.list(options));
    return true;
  } catch (error) {
    context.signal.throwIfAborted();
    return !(error instanceof ServerUnavailableError);
  }
}

/** @throws the signal's reason */
export async function pause(delayMs: number, context: CallContext): Promise<void> {
  await withProgress(context, () => wait(delayMs, undefined, { signal: context.signal })).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw error;
  });
}
