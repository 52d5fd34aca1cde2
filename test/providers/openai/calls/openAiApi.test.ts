import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAiEmbedding } from '../../../../providers/openai/index.ts';
import { startOpenAiServer, type OpenAiServer } from '../../../support/openai/openaiServer.ts';
import { callContext, failureOf } from '../support.ts';

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  await server.close();
});

function embedding(overrides: { requestTimeoutMs?: number; apiKey?: string; baseUrl?: string } = {}) {
  return createOpenAiEmbedding({
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    model: 'm',
    requestTimeoutMs: 60_000,
    ...overrides,
  });
}

describe('one request', () => {
  it.each(['headers', 'body'] as const)('ends at its deadline when the server stalls in the %s', async (stall) => {
    server.script('/embeddings', () => ({ stall }));
    // Long enough for the request to arrive on a busy machine; otherwise the server sees no disconnect.
    const failure = await failureOf(embedding({ requestTimeoutMs: 1_500 }).run(['text'], callContext()));
    expect(failure).toMatchObject({ kind: 'retryable', code: 'provider_timeout' });
    await server.nextHangUp();
  });

  it.each(['headers', 'body'] as const)('is closed when the caller cancels during the %s', async (stall) => {
    server.script('/embeddings', () => ({ stall }));
    const controller = new AbortController();
    const reason = new Error('cancelled by the workflow');
    const call = embedding().run(['text'], callContext(controller.signal));
    void server.nextRequest().then(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
    await server.nextHangUp();
  });

  it('is not sent after a cancellation', async () => {
    const reason = new Error('cancelled before');
    await expect(embedding().run(['text'], callContext(AbortSignal.abort(reason)))).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  it('reports progress while it waits', async () => {
    server.script('/embeddings', () => ({ stall: 'headers' }));
    const controller = new AbortController();
    const heard = new Error('progress was reported');
    const progress = (): void => controller.abort(heard);
    await expect(embedding().run(['text'], { signal: controller.signal, progress })).rejects.toBe(heard);
  });

  it('can be retried if nobody listens at the address', async () => {
    const { baseUrl } = server;
    await server.close();
    const failure = await failureOf(embedding({ baseUrl }).run(['text'], callContext()));
    expect(failure).toMatchObject({ kind: 'retryable', code: 'provider_unreachable' });
    server = await startOpenAiServer();
  });

  it('sends no Authorization header without a key, whatever the environment holds', async () => {
    await server.close();
    server = await startOpenAiServer(null);
    process.env['OPENAI_API_KEY'] = 'the key of another program';
    try {
      await embedding({ apiKey: '' }).run(['text'], callContext());
    } finally {
      delete process.env['OPENAI_API_KEY'];
    }
    expect(server.violations).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('is identified in the provenance by the provider’s own id', async () => {
    const result = await embedding().run(['text'], callContext());
    expect(result.provenance).toEqual({ provider: 'openai', model: 'm', requestId: 'req-1' });
    expect(server.violations).toEqual([]);
  });
});
