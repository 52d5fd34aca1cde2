/**
 * Sends one request to an OpenAI-compatible server: the SDK's client without its retries (Temporal retries instead), a
 * deadline that includes the answer's body, and JSON read with a size limit.
 */
import { OpenAI } from 'openai';
import { hasCause, ProviderError } from '../../errors.ts';
import type { CallContext } from '../../types.ts';
import { MAX_ANSWER_BYTES } from './answerLimits.ts';
import { badAnswer, errorInBody, toProviderError } from './serverErrors.ts';
import { createRequestLimiter, NO_PACE, type RequestLimiter, type PaceLimits } from './requestPace.ts';
import { withProgress } from '../../progress.ts';

export interface OpenAiOptions {
  /** Including the version path, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Empty for servers that need none; no Authorization header is sent then. */
  apiKey: string;
  model: string;
  /** Time limit of one HTTP request, including its body. */
  requestTimeoutMs: number;
  pace?: PaceLimits;
  fetch?: typeof globalThis.fetch;
}

export interface OpenAiApi {
  client: OpenAI;
  model: string;
  requestTimeoutMs: number;
  pace: RequestLimiter;
}

export interface Answer {
  body: unknown;
  requestId: string | null;
}

interface RequestOptions {
  signal: AbortSignal;
  /** In milliseconds, as the SDK expects it. */
  timeout: number;
  maxRetries: 0;
}

/** Builds the call; `asResponse` prevents the SDK from reading the body without a limit. */
type Send = (client: OpenAI, options: RequestOptions) => { asResponse(): Promise<Response> };

/** Creates a client that uses only its options and nothing from the environment. */
export function createOpenAiApi(options: OpenAiOptions): OpenAiApi {
  const client = new OpenAI({
    baseURL: options.baseUrl,
    apiKey: options.apiKey || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: options.requestTimeoutMs,
    logLevel: 'off',
    fetchOptions: { redirect: 'manual' },
    ...(options.apiKey === '' ? { defaultHeaders: { Authorization: null } } : {}),
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
  const { model, requestTimeoutMs, pace = NO_PACE } = options;
  return { client, model, requestTimeoutMs, pace: createRequestLimiter(pace) };
}

/**
 * Sends one request when its turn comes, and reads its JSON. The wait does not count towards the time limit.
 * @throws the signal's reason if the caller cancelled, else ProviderError
 */
export async function requestJson(
  api: OpenAiApi,
  context: CallContext,
  send: Send,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<Answer> {
  context.signal.throwIfAborted();
  return withProgress(context, () => api.pace(context.signal, () => exchange(api, context, send, maxBytes)));
}

async function exchange(api: OpenAiApi, context: CallContext, send: Send, maxBytes: number): Promise<Answer> {
  const deadline = startDeadline(context.signal, api.requestTimeoutMs);
  try {
    const response = await send(api.client, {
      signal: deadline.signal,
      timeout: api.requestTimeoutMs,
      maxRetries: 0,
    }).asResponse();
    const body = parseJson(await readText(response, maxBytes));
    const failure = errorInBody(body);
    if (failure) throw failure;
    return { body, requestId: response.headers.get('x-request-id') };
  } catch (error) {
    context.signal.throwIfAborted();
    throw toProviderError(error, deadline.passed());
  } finally {
    deadline.release();
  }
}

/**
 * The SDK's own timeout ends with the headers, so a server that stalls in the body would hang. A plain controller is
 * used because combined and timeout signals can be garbage-collected before they fire.
 */
function startDeadline(outer: AbortSignal, timeoutMs: number) {
  const controller = new AbortController();
  let passed = false;
  const cancel = (): void => controller.abort(outer.reason);
  const timer = setTimeout(() => {
    passed = true;
    controller.abort();
  }, timeoutMs);
  outer.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    passed: () => passed,
    release(): void {
      clearTimeout(timer);
      outer.removeEventListener('abort', cancel);
    },
  };
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw badAnswer('it is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badAnswer('it is not JSON');
  }
}

/** Returns whether every further request with this configuration would fail in the same way. */
export function failsEveryRequest(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return true;
  if (error.kind === 'quota') return true;
  return error.kind === 'permanent' && !hasCause(error.code, 'request');
}
