import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAiEmbedding } from '../../../../providers/openai/index.ts';
import { answerEmbeddings } from '../../../support/openai/openaiAnswers.ts';
import { startOpenAiServer, type OpenAiServer } from '../../../support/openai/openaiServer.ts';
import { callContext, failureOf, rememberingContext } from '../support.ts';

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

const embedding = () =>
  createOpenAiEmbedding({ baseUrl: server.baseUrl, apiKey: 'test-key', model: 'm', requestTimeoutMs: 60_000 });

function answerVectors(...vectors: unknown[]): void {
  server.script('/embeddings', () => ({
    json: { data: vectors.map((vector, index) => ({ index, embedding: vector })) },
  }));
}

const base64 = (...numbers: number[]): string => Buffer.from(Float32Array.from(numbers).buffer).toString('base64');

describe('embedding', () => {
  it('returns one normalised vector per text and counts the tokens', async () => {
    const capability = embedding();
    expect(capability.dimension).toBeNull();
    const result = await capability.run(['один', 'два', 'три'], callContext());
    expect(result.value).toHaveLength(3);
    for (const vector of result.value) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(vector).toHaveLength(8);
    }
    expect(capability.dimension).toBe(8);
    expect(capability.batchSize).toBe(2_048); // OpenAI accepts no more inputs
    expect(result.usage).toEqual({ inputTokens: 3, outputTokens: null, audioSeconds: null, images: null });
  });

  it('tells a model that needs it whether a text is a query or a passage', async () => {
    const traits = { queryPrefix: 'query:', passagePrefix: 'passage:', similarityThreshold: 0.82 };
    const e5 = createOpenAiEmbedding(
      { baseUrl: server.baseUrl, apiKey: 'test-key', model: 'e5', requestTimeoutMs: 60_000 },
      traits,
    );
    expect(e5).toMatchObject({ model: 'e5 (passage:)', similarityThreshold: 0.82 });
    const { value } = await e5.run(['борщ', 'трамвай'], callContext());
    expect((await e5.embedQuery('борщ', callContext())).value).toHaveLength(8);
    expect(server.requests.map(({ body }) => (body as { input: string[] }).input)).toEqual([
      ['passage: борщ', 'passage: трамвай'],
      ['query: борщ'],
    ]);
    expect(await failureOf(e5.embedQuery(' ', callContext()))).toMatchObject({ code: 'empty_text' });
    const plain = embedding();
    expect(plain).toMatchObject({ model: 'm', similarityThreshold: null });
    expect((await plain.embedQuery('борщ', callContext())).value).not.toEqual(value[0]);
  });

  it('orders vectors by their index', async () => {
    server.script('/embeddings', () => ({
      json: {
        data: [
          { index: 1, embedding: [0, 2] },
          { index: 0, embedding: [3, 0] },
        ],
      },
    }));
    const { value, usage } = await embedding().run(['a', 'b'], callContext());
    expect(value.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(usage.inputTokens).toBeNull();
  });

  it('reads base64 from servers that send it anyway', async () => {
    answerVectors(base64(3, 4));
    const { value } = await embedding().run(['a'], callContext());
    expect(value[0]?.[0]).toBeCloseTo(0.6, 6);
    expect(value[0]?.[1]).toBeCloseTo(0.8, 6);
  });

  it.each<[string, unknown[]]>([
    ['fewer vectors than texts', [[1, 2]]],
    [
      'more vectors than texts',
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ],
    [
      'vectors of two sizes',
      [
        [1, 2],
        [1, 2, 3],
      ],
    ],
    ['an empty vector', [[], []]],
    [
      'a zero vector',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'a vector of texts',
      [
        ['1', '2'],
        [1, 1],
      ],
    ],
    [
      'a vector with a null',
      [
        [1, null],
        [1, 1],
      ],
    ],
    ['text that is not base64', ['не base64', base64(1, 2)]],
    ['base64 of half a number', ['AAAA', base64(1, 2)]],
    ['no vector at all', [null, [1, 1]]],
  ])('never invents a result for %s', async (_, vectors) => {
    answerVectors(...vectors);
    const failure = await failureOf(embedding().run(['a', 'b'], callContext()));
    expect(failure).toMatchObject({ kind: 'retryable', code: 'provider_bad_answer' });
  });

  it('refuses the same index twice', async () => {
    server.script('/embeddings', () => ({
      json: {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    }));
    expect(await failureOf(embedding().run(['a', 'b'], callContext()))).toMatchObject({ code: 'provider_bad_answer' });
  });

  it('refuses a size that differs from the first answer', async () => {
    server.script('/embeddings', ({ body }, index) => ({ json: answerEmbeddings(body, index === 0 ? 8 : 9) }));
    const capability = embedding();
    await capability.run(['a'], callContext());
    expect(await failureOf(capability.run(['b'], callContext()))).toMatchObject({
      kind: 'retryable',
      code: 'provider_bad_answer',
    });
    expect(capability.dimension).toBe(8);
  });

  it('splits many texts over requests and keeps their order', async () => {
    const texts = Array.from({ length: 1_300 }, (_, index) => `text ${index}`);
    const capability = embedding();
    const context = rememberingContext();
    const { value, usage } = await capability.run(texts, context);
    expect(server.requests.map(({ body }) => (body as { input: string[] }).input.length)).toEqual([512, 512, 276]);
    expect(usage.inputTokens).toBe(1_300);
    expect(context.bills.map(({ inputTokens }) => inputTokens)).toEqual([512, 512, 276]);
    const [alone] = (await capability.run(['text 1299'], callContext())).value;
    expect(value[1_299]).toEqual(alone);
  });

  it('truncates a text over the limit, says so, and keeps requests within 300,000 tokens', async () => {
    const texts = Array.from({ length: 40 }, () => 'ж'.repeat(9_000));
    const { warnings } = await embedding().run(texts, callContext());
    expect(warnings).toEqual(['truncated_texts:40']);
    const sizes = server.requests.map(({ body }) => (body as { input: string[] }).input.map((text) => text.length));
    expect(sizes.flat().every((size) => size === 8_192)).toBe(true);
    expect(sizes.map((batch) => batch.length)).toEqual([36, 4]);
  });

  it('sends nothing for no texts and refuses an empty one', async () => {
    const { value, usage } = await embedding().run([], callContext());
    expect(value).toEqual([]);
    expect(usage.inputTokens).toBe(0);
    expect(await failureOf(embedding().run([' '], callContext()))).toMatchObject({
      kind: 'permanent',
      code: 'empty_text',
    });
    expect(server.requests).toHaveLength(0);
  });
});
