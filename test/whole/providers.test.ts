/** A whole stack on an OpenAI-compatible server that misbehaves in every known way. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPool } from '../../db/pool.ts';
import { answerEmbeddings, completion } from '../support/openai/openaiAnswers.ts';
import { startOpenAiServer, type OpenAiServer, type Received, type Reply } from '../support/openai/openaiServer.ts';
import { answerWith, startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { BODY_MARK, makeCatalogue, mediaBody, textBody, type Catalogue } from '../support/whole/catalogue.ts';
import { addWebhook, createContentClient, liftLimits, type ContentClient } from '../support/whole/client.ts';
import { startMediaHost, type MediaHost } from '../support/whole/mediaHost.ts';
import { allHistories, allRows } from '../support/whole/secrets.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { linesWith, serviceLogs } from '../support/whole/traces.ts';
import { PATIENT_POOL } from '../support/database.ts';

const API_KEY = 'sk-whole-4f0d2b71c9';
/** The requests are counted: only stalled ones may take this long, even on a busy machine. */
const TIMEOUT_SECONDS = 15;
const INSUFFICIENT: Reply = {
  status: 429,
  json: {
    error: { message: `You exceeded your quota (${API_KEY})`, type: 'insufficient_quota', code: 'insufficient_quota' },
  },
};
const UNAUTHORISED: Reply = {
  status: 401,
  json: {
    error: {
      message: `Incorrect API key provided: ${API_KEY}`,
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    },
  },
};

/** The chat's behaviour for the item of that name, by the index of its request (from 0). */
const CHAT: Record<string, (index: number) => Reply | undefined> = {
  hurried: (index) =>
    index === 0
      ? {
          status: 429,
          headers: { 'retry-after': '3' },
          json: { error: { message: 'slow down', code: 'rate_limit_exceeded' } },
        }
      : undefined,
  faltering: (index) => (index < 2 ? { status: 500, raw: 'oops' } : undefined),
  stalling: (index) => (index === 0 ? { stall: 'headers' } : undefined),
  halting: (index) => (index === 0 ? { stall: 'body' } : undefined),
  penniless: () => INSUFFICIENT,
  tomorrow: () => ({
    status: 429,
    headers: { 'retry-after': '3600' },
    json: { error: { message: 'come back later' } },
  }),
  garbled: () => ({ raw: `<html>${API_KEY}` }),
  prose: () => ({ json: completion('Here is a summary: it is nice.') }),
  refused: () => ({ json: completion(null, { refusal: 'I cannot help with that.' }) }),
  locked: () => UNAUTHORISED,
  rejected: () => ({
    status: 400,
    json: { error: { message: 'no such thing', type: 'invalid_request_error', code: 'bad' } },
  }),
};
const EMBEDDINGS: Record<string, (body: unknown) => Reply> = {
  lacking: () => ({ json: { object: 'list', data: [] } }),
  uneven: (body) => ({
    json: {
      ...(answerEmbeddings(body) as object),
      data: [{ object: 'embedding', index: 0, embedding: [1, 'x', null] }],
    },
  }),
};

const RECOVER = ['hurried', 'faltering', 'stalling', 'halting'];
const PUT_OFF: Record<string, [step: 'summary' | 'embedding', code: string]> = {
  penniless: ['summary', 'provider_quota_exceeded'],
  tomorrow: ['summary', 'provider_rate_limited'],
  locked: ['summary', 'provider_unauthorized'],
  garbled: ['summary', 'provider_bad_answer'],
  prose: ['summary', 'provider_bad_answer'],
  lacking: ['embedding', 'provider_bad_answer'],
  uneven: ['embedding', 'provider_bad_answer'],
};
const FAIL: Record<string, string> = { refused: 'provider_refused', rejected: 'provider_bad_request' };

describe('a stack whose provider misbehaves', () => {
  let stack: WholeStack;
  let client: ContentClient;
  let receiver: Receiver;
  let host: MediaHost;
  let provider: OpenAiServer;
  let catalogue: Catalogue;
  let pool: pg.Pool;
  let secret: string;
  let isWell = false;
  /** Arrival times of the chat requests, by item. */
  const chats = new Map<string, number[]>();

  const nameIn = (names: Record<string, unknown>, { body }: Received): string | undefined => {
    const text = JSON.stringify(body);
    return Object.keys(names).find((name) => text.includes(`Note ${name}`));
  };

  beforeAll(async () => {
    provider = await startOpenAiServer(API_KEY);
    provider.script('/chat/completions', (request) => {
      const name = nameIn(CHAT, request);
      if (name === undefined || isWell) return undefined;
      const times = chats.get(name) ?? [];
      chats.set(name, [...times, performance.now()]);
      return CHAT[name]?.(times.length);
    });
    provider.script('/embeddings', (request) =>
      isWell ? undefined : EMBEDDINGS[nameIn(EMBEDDINGS, request) ?? '']?.(request.body),
    );
    [catalogue, host, receiver, stack] = await Promise.all([
      makeCatalogue(),
      startMediaHost(),
      startReceiver(answerWith(204)),
      startStack({
        env: {
          OPENAI_BASE_URL: provider.baseUrl,
          OPENAI_API_KEY: API_KEY,
          PROVIDER_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
          LOG_LEVEL: 'debug',
        },
      }),
    ]);
    client = createContentClient(stack);
    pool = createPool({
      databaseUrl: stack.dev.database_url,
      size: 2,
      applicationName: 'attune-test',
      ...PATIENT_POOL,
    });
    secret = await addWebhook(stack, receiver.url);
    await liftLimits(stack);
    for (const name of [...Object.keys(CHAT), ...Object.keys(EMBEDDINGS)])
      await client.putUntilAnswered(name, textBody(name));
    host.serve('/good.mp4', catalogue.video);
    await client.putUntilAnswered('good', mediaBody('video', `${host.url}/good.mp4`));
  });

  afterAll(async () => {
    await pool?.end();
    await stack?.stop();
    await provider?.close();
    await cleanUp();
  });

  it('analyses everything else meanwhile, with requests that a real provider would accept', async () => {
    expect(await client.finalOf('good')).toMatchObject({
      status: 'ready',
      processing: { speech: 'done', vision: 'done', summary: 'done', embedding: 'done' },
    });
    expect(provider.violations).toEqual([]);
  });

  it('tries again after a temporary failure, not sooner than requested', async () => {
    for (const name of RECOVER)
      expect({ name, status: (await client.finalOf(name)).status }).toEqual({ name, status: 'ready' });
    const [first = 0, second = 0] = chats.get('hurried') ?? [];
    expect(second - first).toBeGreaterThanOrEqual(2_900);
    expect(chats.get('faltering')).toHaveLength(3);
    expect(chats.get('stalling')).toHaveLength(2);
  });

  it.each(Object.entries(FAIL))('fails the step of "%s" at once and keeps other results', async (name, code) => {
    const item = await client.finalOf(name);
    expect(item).toMatchObject({
      status: 'partial',
      summary: null,
      processing: { summary: 'failed', embedding: 'done' },
      processing_errors: { summary: { code } },
    });
    // A rejection may be about the answer's format, so each of the three formats may be requested; a retried step
    // would have four attempts.
    expect((chats.get(name) ?? []).length).toBeLessThanOrEqual(name === 'rejected' ? 3 : 1);
  });

  it.each(Object.entries(PUT_OFF))('defers "%s" and invents nothing', async (name, [step, code]) => {
    const item = await client.itemUntil(name, ({ status }) => status === 'deferred');
    expect(item.processing[step]).toBe('deferred');
    expect(item.processing_errors).toMatchObject({ [step]: { code } });
    if (step === 'summary') expect(item.summary).toBeNull();
    expect((await client.get(name, 'search_chunks')).search_chunks ?? []).toEqual([]);
    expect(
      receiver.requests.filter(({ body }) => (JSON.parse(body) as { item: { id: string } }).item.id === name),
    ).toEqual([]);
  });

  it('does not ask again if the provider named a distant time, or wants money or another key', () => {
    for (const name of ['tomorrow', 'penniless', 'locked'])
      expect({ name, chats: chats.get(name)?.length }).toEqual({ name, chats: 1 });
  });

  it('recovers with the provider', async () => {
    isWell = true;
    for (const name of Object.keys(PUT_OFF)) await client.putUntilAnswered(name, textBody(`${name} again`));
    for (const name of Object.keys(PUT_OFF)) {
      const item = await client.finalOf(name);
      expect(item).toMatchObject({ status: 'ready', summary: { summary: 'текст' } });
      expect(item).not.toHaveProperty('processing_errors');
    }
    expect(provider.violations).toEqual([]);
  });

  it('keeps every secret out of logs, histories and tables', async () => {
    const { project, cabinet_token: token } = stack.dev;
    const secrets = [API_KEY, project.key, token, secret, 'Bearer '];
    expect(linesWith(await serviceLogs(stack), [...secrets, BODY_MARK])).toEqual([]);
    const histories = await allHistories(stack.dev.temporal_address);
    // Payloads are readable, so a secret in them would be found.
    expect(histories.includes('\\"itemId\\":\\"penniless\\"')).toBe(true);
    expect(linesWith(histories, [...secrets, BODY_MARK])).toEqual([]);
    const rows = await allRows(pool);
    expect(rows.includes(BODY_MARK)).toBe(true);
    expect(linesWith(rows, secrets)).toEqual([]);
  });
});
