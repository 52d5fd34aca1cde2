import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { createOpenAiModeration } from '../../../../providers/openai/index.ts';
import { moderationResult } from '../../../support/openai/openaiAnswers.ts';
import {
  startOpenAiServer,
  type OpenAiServer,
  type Received,
  type Reply,
} from '../../../support/openai/openaiServer.ts';
import { callContext, contextOf, failureOf, rememberingContext } from '../support.ts';

let dir: string;
let server: OpenAiServer;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'attune-moderation-'));
  await writeFile(
    join(dir, 'a.jpg'),
    await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer(),
  );
});
afterAll(async () => {
  await rm(dir, { recursive: true });
});
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

const frame = (id: string) => ({ id, path: join(dir, 'a.jpg') });
const moderation = (limits: { batchSize?: number; contextTokens?: number } = {}) =>
  createOpenAiModeration({
    ...limits,
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    model: 'omni-moderation-latest',
    requestTimeoutMs: 60_000,
  });
const isImage = ({ body }: Received): boolean => typeof (body as { input: unknown[] }).input[0] !== 'string';

/** Answers with scores for the texts and for the images, in the order of the requests' inputs. */
function answerScores(text: Record<string, number>, image: Record<string, number> = {}): void {
  server.script('/moderations', (received) => {
    const input = (received.body as { input: unknown[] }).input;
    return {
      json: { results: input.map(() => moderationResult(isImage(received) ? image : text, isImage(received))) },
    };
  });
}

describe('moderation', () => {
  it('judges harmless text and frames as harmless, by category', async () => {
    const context = rememberingContext();
    const { value, usage, warnings } = await moderation().run({ text: 'Добрый день', frames: [frame('0:0')] }, context);
    expect(value.level).toBe('none');
    expect(context.bills.map(({ images }) => images)).toEqual([0, 1]);
    expect(value.categories).toMatchObject({ violence: { level: 'none', score: 0.01 } });
    expect(value.evidence).toEqual([]);
    expect(usage).toEqual({ inputTokens: null, outputTokens: null, audioSeconds: null, images: 1 });
    expect(warnings).toEqual([]);
  });

  it.each([
    [0.19, 'none'],
    [0.2, 'low'],
    [0.5, 'medium'],
    [0.8, 'high'],
  ])('maps a score of %d to %s', async (score, level) => {
    server.script('/moderations', () => ({ json: { results: [{ category_scores: { violence: score } }] } }));
    expect((await moderation().run({ text: 'text', frames: [] }, callContext())).value.level).toBe(level);
  });

  it('raises a category that the provider flagged to at least medium, and one about minors by a level', async () => {
    server.script('/moderations', () => ({
      json: { results: [{ categories: { hate: true }, category_scores: { hate: 0.3, 'sexual/minors': 0.2 } }] },
    }));
    const { value } = await moderation().run({ text: 'text', frames: [] }, callContext());
    expect(value.categories).toEqual({
      hate: { level: 'medium', score: 0.3 },
      'sexual/minors': { level: 'medium', score: 0.2 },
    });
  });

  it('sends one image per request, and leaves categories open that are not scored for images', async () => {
    answerScores({}, { violence: 0.9 });
    const { value } = await moderation().run({ text: '', frames: [frame('0:0'), frame('0:5')] }, callContext());
    expect(server.requests).toHaveLength(2);
    expect(value.level).toBe('high');
    expect(value.categories).toMatchObject({ hate: null, harassment: null, violence: { level: 'high', score: 0.9 } });
    expect(value.evidence).toEqual([
      { category: 'violence', level: 'high', score: 0.9, kind: 'frame', frame: '0:0' },
      { category: 'violence', level: 'high', score: 0.9, kind: 'frame', frame: '0:5' },
    ]);
  });

  it('scores long text in chunks and names the chunk', async () => {
    const text = `${'Обычное предложение. '.repeat(100)}\n\nУГРОЗА`;
    server.script('/moderations', ({ body }) => ({
      json: {
        results: (body as { input: string[] }).input.map((chunk) =>
          moderationResult(chunk.includes('УГРОЗА') ? { harassment: 0.6 } : {}, false),
        ),
      },
    }));
    const { value } = await moderation().run({ text, frames: [] }, callContext());
    expect(value.level).toBe('medium');
    // The second chunk begins with a sentence and extends to the end.
    const where = { offset: 1_890, length: text.length - 1_890 };
    expect(value.evidence).toEqual([
      { category: 'harassment', level: 'medium', score: 0.6, kind: 'text', chunk: 1, where },
    ]);
  });

  describe('a text that is too large for a guard model', () => {
    const inputOf = ({ body }: Received): string[] => (body as { input: string[] }).input;
    const sizes = (from = 0): number[][] =>
      server.requests.slice(from).map((request) => inputOf(request).map(({ length }) => length));
    const refuse = (isTooLarge: (input: string[]) => boolean, message: string): void =>
      server.script('/moderations', (request) =>
        isTooLarge(inputOf(request))
          ? { status: 400, json: { error: { message } } }
          : {
              json: {
                results: inputOf(request).map((chunk) =>
                  moderationResult(chunk.includes('УГРОЗА') ? { harassment: 0.6 } : {}, false),
                ),
              },
            },
      );
    const text = `${'Обычное предложение. '.repeat(200)}УГРОЗА. ${'Обычное предложение. '.repeat(200)}`;
    const place = text.indexOf('УГРОЗА');

    it.each([
      ['names no limit', 'Context size has been exceeded.'],
      ['names its limit', "This model's maximum context length is 512 tokens."],
    ])('is judged completely in smaller chunks if the refusal %s', async (_name, message) => {
      refuse((input) => input.some(({ length }) => length > 512), message);
      const capability = moderation();
      for (const item of ['first', 'second']) {
        const { value } = await capability.run({ text, frames: [] }, contextOf(item));
        expect(value.level).toBe('medium');
        const where = value.evidence?.[0]?.['where'] as { offset: number; length: number } | undefined;
        const { offset, length } = where ?? { offset: 0, length: 0 };
        expect([offset <= place, offset + length > place, length <= 512]).toEqual([true, true, true]);
        // A server that names its limit is believed at once.
        if (message.includes('512')) break;
      }
      const asked = server.requests.length;
      await capability.run({ text, frames: [] }, contextOf('third'));
      expect(sizes(asked).flat().length).toBeGreaterThan(16);
      expect(
        sizes(asked)
          .flat()
          .every((length) => length <= 512),
      ).toBe(true);
    });

    it('is sent in requests with fewer chunks if the server refuses more of them together', async () => {
      refuse(({ length }) => length > 2, 'Context size has been exceeded.');
      const capability = moderation();
      for (const item of ['first', 'second']) await capability.run({ text, frames: [] }, contextOf(item));
      const asked = server.requests.length;
      const { value } = await capability.run({ text, frames: [] }, contextOf('third'));
      expect(value.level).toBe('medium');
      expect(sizes(asked).map(({ length }) => length)).toEqual([2, 2, 1]);
    });

    it('does not shorten the chunks of other texts far below the limit that the server named', async () => {
      refuse(
        (input) => input.some((chunk) => chunk.length > (chunk.includes('😀') ? 200 : 2_000)),
        "This model's maximum context length is 512 tokens.",
      );
      const capability = moderation();
      await capability.run({ text: '😀'.repeat(2_000), frames: [] }, contextOf('emoji'));
      const asked = server.requests.length;
      await capability.run({ text, frames: [] }, contextOf('other'));
      expect(Math.max(...sizes(asked).flat())).toBeGreaterThan(450);
    });

    it('does not change how other texts are sent if it is the only one refused', async () => {
      refuse((input) => input.some((chunk) => chunk.includes('😀') && chunk.length > 512), 'too large to process');
      const capability = moderation();
      for (const item of ['emoji', 'emoji'])
        await capability.run({ text: '😀'.repeat(2_000), frames: [] }, contextOf(item));
      const asked = server.requests.length;
      await capability.run({ text, frames: [] }, contextOf('other'));
      expect(server.requests).toHaveLength(asked + 1);
    });

    it('fails if it cannot be made small enough', async () => {
      refuse(() => true, 'Context size has been exceeded.');
      const failure = await failureOf(moderation().run({ text, frames: [] }, contextOf('a')));
      expect(failure).toMatchObject({ kind: 'permanent', code: 'provider_input_too_large' });
      expect(server.requests.length).toBeLessThan(20);
    });

    it('is sent in chunks that fit the configured context', async () => {
      const capability = moderation({ contextTokens: 512, batchSize: 4 });
      await capability.run({ text, frames: [] }, callContext());
      expect(sizes().every((chunks) => chunks.length <= 4 && chunks.every((length) => length <= 512))).toBe(true);
      expect(sizes()).toHaveLength(5);
    });
  });

  it('keeps the gravest of too many categories, each with a short name', async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `${at} ${'category '.repeat(100)}`);
    const scores = Object.fromEntries(names.map((name, at) => [name, at / 10_000]));
    server.script('/moderations', () => ({
      json: { results: [{ flagged: false, categories: {}, category_scores: { ...scores, violence: 0.97 } }] },
    }));
    const { value } = await moderation().run({ text: 'Добрый день', frames: [] }, callContext());
    expect(value.level).toBe('high');
    expect(value.categories).toMatchObject({ violence: { level: 'high', score: 0.97 } });
    expect(Object.keys(value.categories ?? {})).toHaveLength(50);
    expect(JSON.stringify(value).length).toBeLessThan(20_000);
  });

  it('keeps a flagged category with a low score beside too many with higher scores', async () => {
    const scores = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`c${index}`, 0.3]));
    server.script('/moderations', () => ({
      json: { results: [{ categories: { hate: true }, category_scores: { ...scores, hate: 0.1 } }] },
    }));
    const { value } = await moderation().run({ text: 'A word of hate.', frames: [] }, callContext());
    expect(Object.keys(value.categories ?? {})).toHaveLength(50);
    expect(value.categories).toMatchObject({ hate: { level: 'medium', score: 0.1 } });
  });

  it('gives no verdict about an item with neither text nor frames', async () => {
    const { value } = await moderation().run({ text: ' ', frames: [] }, callContext());
    expect(value).toEqual({ level: null, categories: null, evidence: null });
    expect(server.requests).toHaveLength(0);
  });

  it('does not call an item harmless if its frames could not be scored', async () => {
    server.script('/moderations', (received) =>
      isImage(received) ? { status: 400, json: { error: { message: 'images unsupported' } } } : undefined,
    );
    const { value, warnings, usage } = await moderation().run({ text: 'text', frames: [frame('0:0')] }, callContext());
    expect(value.level).toBeNull();
    expect(value.categories).toMatchObject({ hate: { level: 'none', score: 0.01 } });
    expect(warnings).toEqual(['unscored_frames:1']);
    expect(usage.images).toBe(0);
  });

  it('does not call an item harmless if the server read its frames and scored nothing in them', async () => {
    server.script('/moderations', () => ({ json: { results: [moderationResult({}, false)] } }));
    const { value, warnings } = await moderation().run({ text: 'text', frames: [frame('0:0')] }, callContext());
    expect(value.level).toBeNull();
    expect(warnings).toEqual(['unscored_frames:1']);
  });

  it.each<[string, Reply]>([
    ['is too large', { status: 413, json: { error: { message: 'Request Entity Too Large' } } }],
    ['is refused', { status: 400, json: { error: { code: 'content_policy_violation' } } }],
    ['cannot be read by the model', { status: 500, json: { error: { message: 'image input is not supported' } } }],
  ])('keeps what it found beside a frame that %s', async (_, reply) => {
    let images = 0;
    server.script('/moderations', (received) => {
      if (!isImage(received)) return { json: { results: [moderationResult({ hate: 0.6 }, false)] } };
      images += 1;
      return images === 1 ? reply : { json: { results: [moderationResult({ violence: 0.9 }, true)] } };
    });
    const frames = [frame('0:0'), frame('0:5')];
    const { value, warnings } = await moderation().run({ text: 'text', frames }, callContext());
    expect(value).toMatchObject({ level: 'high', categories: { hate: { level: 'medium' } } });
    expect(value.evidence).toMatchObject([{ category: 'violence', frame: '0:5' }, { category: 'hate' }]);
    expect(warnings).toEqual(['unscored_frames:1']);
  });

  it('gives a category its most severe level, though another part has a higher score', async () => {
    const results = [
      { category_scores: { hate: 0.1 }, categories: { hate: true } },
      { category_scores: { hate: 0.4 }, categories: { hate: false } },
    ];
    server.script('/moderations', () => ({ json: { results } }));
    const { value } = await moderation().run({ text: 'A word of hate. '.repeat(200), frames: [] }, callContext());
    expect(value).toMatchObject({ level: 'medium', categories: { hate: { level: 'medium', score: 0.1 } } });
  });

  it('reports harm in the text even if frames could not be scored', async () => {
    server.script('/moderations', (received) =>
      isImage(received) ? { status: 400, json: {} } : { json: { results: [moderationResult({ hate: 0.9 }, false)] } },
    );
    expect((await moderation().run({ text: 'text', frames: [frame('0:0')] }, callContext())).value.level).toBe('high');
  });

  it.each<[string, unknown]>([
    ['no results', { results: [] }],
    ['no scores', { results: [{ flagged: false }] }],
    ['text that was not scored', { results: [{ category_scores: { hate: null } }] }],
    ['a score over 1', { results: [{ category_scores: { hate: 7 } }] }],
  ])('never invents a level for %s', async (_, json) => {
    server.script('/moderations', () => ({ json }));
    const failure = await failureOf(moderation().run({ text: 'text', frames: [] }, callContext()));
    expect(failure).toMatchObject({ kind: 'retryable', code: 'provider_bad_answer' });
  });
});
