import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProviderError } from '../../../../providers/errors.ts';
import { createOpenAiEmbedding } from '../../../../providers/openai/index.ts';
import { startOpenAiServer, type OpenAiServer, type Reply } from '../../../support/openai/openaiServer.ts';
import { callContext, failureOf } from '../support.ts';

const SECRET = 'sk-secret-value';
const CONTENT = 'a text nobody else may read';

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer(SECRET);
});
afterEach(async () => {
  await server.close();
});

function embed(reply: Reply): Promise<ProviderError> {
  server.script('/embeddings', () => reply);
  const options = { baseUrl: server.baseUrl, apiKey: SECRET, model: 'm', requestTimeoutMs: 60_000 };
  return failureOf(createOpenAiEmbedding(options).run([CONTENT], callContext()));
}

/** Returns an error body that quotes everything that must not be repeated. */
const error = (fields: Record<string, unknown>) => ({
  error: { message: `bad ${SECRET} ${CONTENT} http://127.0.0.1`, ...fields },
});

const cases: [string, Reply, string, string, number | null][] = [
  [
    '429 with Retry-After in seconds',
    { status: 429, headers: { 'retry-after': '7' }, json: error({}) },
    'retryable',
    'provider_rate_limited',
    7_000,
  ],
  [
    '429 with retry-after-ms',
    { status: 429, headers: { 'retry-after-ms': '250', 'retry-after': '1' }, json: error({}) },
    'retryable',
    'provider_rate_limited',
    250,
  ],
  ['429 without a delay', { status: 429, json: error({}) }, 'retryable', 'provider_rate_limited', null],
  [
    '429 with an absurd delay',
    { status: 429, headers: { 'retry-after': '99999999' }, json: error({}) },
    'retryable',
    'provider_rate_limited',
    86_400_000,
  ],
  [
    'insufficient_quota as code',
    { status: 429, json: error({ code: 'insufficient_quota' }) },
    'quota',
    'provider_quota_exceeded',
    null,
  ],
  [
    'insufficient_quota as type',
    { status: 429, json: error({ type: 'insufficient_quota' }) },
    'quota',
    'provider_quota_exceeded',
    null,
  ],
  ['402', { status: 402, json: error({}) }, 'quota', 'provider_quota_exceeded', null],
  ['401', { status: 401, json: error({ code: 'invalid_api_key' }) }, 'permanent', 'provider_unauthorized', null],
  ['403', { status: 403, json: error({}) }, 'permanent', 'provider_forbidden', null],
  [
    '404 for a model',
    { status: 404, json: error({ code: 'model_not_found' }) },
    'permanent',
    'provider_model_not_found',
    null,
  ],
  ['404 for an address', { status: 404, raw: 'Not Found' }, 'permanent', 'provider_endpoint_not_found', null],
  ['400', { status: 400, json: error({}) }, 'permanent', 'provider_bad_request', null],
  [
    '400 for length',
    { status: 400, json: error({ code: 'context_length_exceeded' }) },
    'permanent',
    'provider_input_too_large',
    null,
  ],
  [
    '400 from a content filter',
    { status: 400, json: error({ code: 'content_filter' }) },
    'refused',
    'provider_refused',
    null,
  ],
  ['413', { status: 413, raw: '<html>' }, 'permanent', 'provider_input_too_large', null],
  [
    '422 of another shape',
    { status: 422, json: { detail: [{ msg: 'no' }] } },
    'permanent',
    'provider_bad_request',
    null,
  ],
  ['an error that is a string', { status: 400, json: { error: 'broken' } }, 'permanent', 'provider_bad_request', null],
  ['500', { status: 500, json: error({}) }, 'retryable', 'provider_unavailable', null],
  ['501', { status: 501, json: error({}) }, 'permanent', 'provider_unsupported', null],
  [
    '503 with Retry-After',
    { status: 503, headers: { 'retry-after': '2' }, raw: 'busy' },
    'retryable',
    'provider_unavailable',
    2_000,
  ],
  [
    'a redirect',
    { status: 307, headers: { location: 'http://127.0.0.1:1/' }, raw: '' },
    'permanent',
    'provider_redirected',
    null,
  ],
  [
    'a picture that is too large',
    { status: 400, json: error({ message: 'This model does not support images larger than 4 MB' }) },
    'permanent',
    'provider_bad_request',
    null,
  ],
  [
    'a gateway that did not wait',
    { status: 504, headers: { 'retry-after': '2' }, raw: '<html></html>' },
    'retryable',
    'provider_unavailable',
    2_000,
  ],
  [
    'a limit for calls that are not streamed',
    { status: 429, json: error({ message: 'Rate limit exceeded for non-streaming calls' }) },
    'retryable',
    'provider_rate_limited',
    null,
  ],
  [
    'an outage of calls that are not streamed',
    { status: 503, json: error({ message: 'No capacity for non-streaming calls' }) },
    'retryable',
    'provider_unavailable',
    null,
  ],
  [
    'an answer that would be too long without streaming',
    { status: 400, json: error({ message: 'max_tokens too large for non-streaming calls' }) },
    'permanent',
    'provider_bad_request',
    null,
  ],
  [
    'a model that does not stream',
    { status: 400, json: error({ message: 'This model does not support stream mode' }) },
    'permanent',
    'provider_bad_request',
    null,
  ],
  [
    'a model that only streams',
    { status: 422, json: error({ message: 'This model only supports streaming' }) },
    'permanent',
    'provider_unsupported',
    null,
  ],
  ['an error inside a 200', { json: error({ code: 429 }) }, 'retryable', 'provider_rate_limited', null],
  ['broken JSON', { raw: '{"data": [' }, 'retryable', 'provider_bad_answer', null],
  [
    'a page in place of JSON',
    { raw: '<html></html>', headers: { 'content-type': 'text/html' } },
    'retryable',
    'provider_bad_answer',
    null,
  ],
  ['an empty answer', { raw: '' }, 'retryable', 'provider_bad_answer', null],
];

describe('errors of a server', () => {
  it.each(cases)('are classified: %s', async (_, reply, kind, code, retryAfterMs) => {
    const failure = await embed(reply);
    expect(failure).toMatchObject({ kind, code, retryAfterMs });
    expect(server.requests).toHaveLength(1);
  });

  it.each(cases)('reveal nothing of key, content or address: %s', async (_, reply) => {
    const failure = await embed(reply);
    const shown = JSON.stringify([failure.message, failure.stack, { ...failure }]);
    for (const secret of [SECRET, CONTENT, '127.0.0.1', 'http:']) expect(shown).not.toContain(secret);
    expect(failure.cause).toBeUndefined();
  });

  it('state the wait until a Retry-After date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const failure = await embed({ status: 429, headers: { 'retry-after': date }, json: error({}) });
    expect(failure.retryAfterMs).toBeGreaterThan(55_000);
    expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});
