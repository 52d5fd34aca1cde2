import { afterAll, describe, expect, it } from '@jest/globals';
import { createBuiltinProviders } from '../../../providers/builtin/index.ts';
import type { CallContext, SummaryInput } from '../../../providers/types.ts';
import { ARTICLE_RU } from './summary/articles.ts';

const providers = createBuiltinProviders({ tessdataDirs: [] });
const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };
const inputOf = (body: string): SummaryInput => ({
  language: null,
  topicsAllowed: [],
  type: 'text',
  title: null,
  description: null,
  body,
  transcripts: [],
  frames: [],
});

afterAll(() => providers.close());

/** At least ten times as many characters as a text that is analysed without the thread. */
const LONG = 200_000;

/** Returns sentences with a vocabulary of several thousand words. */
function longText(): string {
  const words = ARTICLE_RU.split(' ');
  let text = '';
  for (let index = 0; text.length < LONG; index += 1) {
    text += `${words[(index * 7919) % words.length] ?? ''}${index % 9 === 0 ? `слово${(index * 31) % 5_000}` : ''}${index % 14 === 13 ? '. ' : ' '}`;
  }
  return text.slice(0, LONG);
}

describe('the analysis of large texts', () => {
  it('does not block the event loop, and sends heartbeats', async () => {
    let beats = 0;
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    const result = await providers.summary.run(inputOf(longText()), { ...context, progress: () => (beats += 1) });
    clearInterval(ticking);
    expect(result.value.summary.length).toBeGreaterThan(0);
    expect(beats).toBeGreaterThanOrEqual(1);
    expect(turns).toBeGreaterThan(20);
  });

  it('gives a small text sent with them the same embedding in the thread as inline', async () => {
    const small = (await providers.embedding.run([ARTICLE_RU], context)).value[0];
    const [first, second] = (await providers.embedding.run([ARTICLE_RU, 'слово '.repeat(5_000)], context)).value;
    expect(first).toEqual(small);
    expect(ArrayBuffer.isView(second)).toBe(true);
    expect(second).toHaveLength(384);
  });

  it('can be cancelled', async () => {
    const controller = new AbortController();
    const job = providers.moderation.run({ text: longText(), frames: [] }, { ...context, signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(job).rejects.toThrow('cancelled');
  });
});

describe('capabilities for text', () => {
  it('name their models, and report no usage', async () => {
    expect(providers.summary.model).toBe('builtin-text-11');
    expect(providers.embedding).toMatchObject({ model: 'builtin-embed-2', dimension: 384 });
    const { provenance, usage } = await providers.summary.run(inputOf('Кот спит.'), context);
    expect(provenance).toEqual({ provider: 'builtin', model: 'builtin-text-11', requestId: null });
    expect(usage).toEqual({ inputTokens: null, outputTokens: null, audioSeconds: null, images: null });
  });

  it('refuse input without content, and batches that are too large', async () => {
    await expect(providers.summary.run(inputOf('…'), context)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'no_content',
    });
    await expect(providers.embedding.run(['a', ' '], context)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'no_content',
    });
    await expect(
      providers.embedding.run(
        Array.from({ length: 257 }, () => 'a'),
        context,
      ),
    ).rejects.toMatchObject({ code: 'batch_too_large' });
  });

  it('do not treat an item as clean if nobody looked at its pictures', async () => {
    const frames = [{ id: '0:0', path: '/none.jpg' }];
    const clean = await providers.moderation.run({ text: 'Рецепт борща', frames }, context);
    expect(clean.value.level).toBeNull();
    expect(clean.warnings).toEqual(['frames_not_judged']);
    expect((await providers.moderation.run({ text: 'Рецепт борща', frames: [] }, context)).value.level).toBe('none');
    expect((await providers.moderation.run({ text: 'порно', frames }, context)).value.level).toBe('high');
    expect((await providers.moderation.run({ text: '', frames: [] }, context)).value.level).toBeNull();
  });
});
