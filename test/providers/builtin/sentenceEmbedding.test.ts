import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBuiltinProviders, type BuiltinProviders } from '../../../providers/builtin/index.ts';
import type { CallContext, EmbeddingCapability } from '../../../providers/types.ts';
import { testSentenceEncoder } from '../../support/programs/engines.ts';

const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };
const PASSAGE = 'Городская библиотека открыла новый читальный зал на улице Садовой. ';

let providers: BuiltinProviders;
let embedding: EmbeddingCapability;

beforeAll(async () => {
  providers = createBuiltinProviders({ tessdataDirs: [], sentenceEncoderDir: await testSentenceEncoder() });
  embedding = providers.embedding;
});
afterAll(() => providers.close());

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

const millisecondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

describe('vectors of meaning', () => {
  it('follow the contract', async () => {
    expect(embedding).toMatchObject({ model: 'builtin-use-multilingual-v3', dimension: 512, batchSize: 256 });
    const { value, provenance, usage, warnings } = await embedding.run(['Кот спит.', 'The cat sleeps.'], context);
    expect(value.map(({ length }) => length)).toEqual([512, 512]);
    for (const vector of value) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(provenance).toEqual({ provider: 'builtin', model: 'builtin-use-multilingual-v3', requestId: null });
    expect(usage).toEqual({ inputTokens: null, outputTokens: null, audioSeconds: null, images: null });
    expect(warnings).toEqual([]);
  });

  it('are the same for a query and a passage, alone and among others', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${PASSAGE} ${index}`.repeat(1 + (index % 9)));
    const { value } = await embedding.run(texts, context);
    for (const index of [0, 17, 39])
      expect((await embedding.embedQuery(texts[index] ?? '', context)).value).toEqual(value[index]);
  });

  it('are more similar than the threshold for related texts, even across languages, and less similar for unrelated ones', async () => {
    const query = (await embedding.embedQuery('как приготовить борщ', context)).value;
    const [recipe, tram] = (
      await embedding.run(['Beetroot soup recipe', 'The tram is back in the depot after repairs.'], context)
    ).value;
    expect(dot(query, recipe ?? query)).toBeGreaterThan(embedding.similarityThreshold ?? 1);
    expect(dot(query, tram ?? query)).toBeLessThan(embedding.similarityThreshold ?? 0);
  });

  it('are made without blocking the event loop, and with heartbeats', async () => {
    let beats = 0;
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    await embedding.run(Array<string>(64).fill(PASSAGE.repeat(20)), { ...context, progress: () => (beats += 1) });
    clearInterval(ticking);
    expect(beats).toBeGreaterThanOrEqual(1);
    expect(turns).toBeGreaterThan(20);
  });

  it('come with a warning if the end of a text was left out', async () => {
    const { warnings } = await embedding.run(['кот', 'слово '.repeat(2_000), PASSAGE.repeat(1_000)], context);
    expect(warnings).toEqual(['truncated_texts:2']);
  });

  it('can be cancelled at once, and the encoder stays loaded', async () => {
    const texts = Array.from({ length: 256 }, (_, n) => `${n}. ${PASSAGE.repeat(40)}`);
    await embedding.embedQuery('кот', context);
    const [beforeSome, some] = [process.cpuUsage(), 8];
    await embedding.run(texts.slice(-some), context);
    const costOfSome = millisecondsOf(process.cpuUsage(beforeSome));
    const controller = new AbortController();
    const before = process.cpuUsage();
    const job = embedding.run(texts, { ...context, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('cancelled')), 20);
    await expect(job).rejects.toThrow('cancelled');
    await embedding.embedQuery('кот', context);
    // The encoder's thread belongs to this process. A quarter of the whole cost is far more than the cost of what was
    // under way.
    expect(millisecondsOf(process.cpuUsage(before))).toBeLessThan((costOfSome * texts.length) / some / 4);
  });
});

describe('no vector is made', () => {
  it('for a blank text or too many texts', async () => {
    await expect(embedding.run(['a', ' \n '], context)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'no_content',
    });
    await expect(embedding.embedQuery('', context)).rejects.toMatchObject({ code: 'no_content' });
    await expect(embedding.run(Array<string>(257).fill('a'), context)).rejects.toMatchObject({
      code: 'batch_too_large',
    });
  });

  it('for any text without the files of the encoder, which is a fault of the installation', async () => {
    const broken = createBuiltinProviders({ tessdataDirs: [], sentenceEncoderDir: '/nowhere' });
    await expect(broken.embedding.run(['кот'], context)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'provider_model_not_found',
      message: 'the sentence encoder: sp.model cannot be read (ENOENT)',
    });
    await broken.close();
  });
});
