import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBuiltinProviders, type BuiltinProviders } from '../../../../providers/builtin/index.ts';
import { builtinResult } from '../../../../providers/builtin/builtinResult.ts';
import { createNearness } from '../../../../providers/builtin/topics/topicNearness.ts';
import type { CallContext, EmbeddingCapability, Summary, SummaryInput } from '../../../../providers/types.ts';
import { testSentenceEncoder, testTextReaders } from '../../../support/programs/engines.ts';

const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };

let providers: BuiltinProviders;
beforeAll(async () => {
  providers = createBuiltinProviders({
    tessdataDirs: [],
    sentenceEncoderDir: await testSentenceEncoder(),
    textReaders: await testTextReaders(),
  });
});
afterAll(() => providers.close());

async function summaryOf(item: Partial<SummaryInput>): Promise<Summary> {
  return (await providers.summary.run(inputOf(item), context)).value;
}

function inputOf(item: Partial<SummaryInput>): SummaryInput {
  const rest = {
    language: null,
    topicsAllowed: [],
    title: null,
    description: null,
    body: null,
    transcripts: [],
    frames: [],
  };
  return { type: 'text', ...rest, ...item };
}

describe('the built-in summary with all its models', () => {
  it('has a model name that shows them all', () => {
    expect(providers.summary.model).toBe('builtin-text-11-ru-en-use');
  });

  // «Резьба» and «керамика» are also words of crafts.
  it('chooses topics by meaning if words mislead', async () => {
    const { topics } = await summaryOf({
      title: 'Капает кран на кухне',
      body: 'Перекройте воду под мойкой и снимите вентиль. Осмотрите резьбу и керамику пластин, смените прокладку.',
    });
    expect(topics).toEqual(['Сантехника', 'Строительство и ремонт']);
  });

  it('gives tags, topics and names of a text as an editor would', async () => {
    const { tags, topics, entities, summary } = await summaryOf({
      title: 'Торможение двигателем',
      body: 'Инструктор Анна Иванова учит водить трамвай в Твери. Торможение двигателем начинают заранее, чтобы вагон не проехал остановку. Трамвай едет из депо по расписанию. Она просит водителя смотреть на рельсы.',
    });
    expect(tags).toEqual(expect.arrayContaining(['торможение двигателем', 'трамвай']));
    expect(tags.join(' ')).not.toMatch(/едет|торможение двигатель|изнашива/);
    expect(topics[0]).toMatch(/^(?:Железные дороги и трамваи|Вождение)$/);
    expect(entities).toEqual([
      { type: 'person', name: 'Анна Иванова' },
      { type: 'place', name: 'Тверь' },
    ]);
    expect(summary).toMatch(/^Инструктор Анна Иванова/);
  });

  it('chooses the topics of a note by its words', async () => {
    const note = { title: 'Привет', body: 'Трамвай вернулся в депо после ремонта.' };
    expect((await summaryOf(note)).topics).toContain('Железные дороги и трамваи');
  });

  it('gives narrow topics, and none for a word with another meaning', async () => {
    const relay = {
      title: 'Женская эстафета в Оберхофе',
      body: 'Биатлонистки ошиблись на огневом рубеже и ушли на штрафной круг. Третий этап они начали пятыми, но к финишу отыграли минуту.',
    };
    expect((await summaryOf(relay)).topics).toEqual(expect.arrayContaining(['Биатлон', 'Спорт']));
    const budget = {
      title: 'Цирк в парламенте',
      body: 'Две фракции покинули зал перед голосованием о бюджете. Спикер закрыл заседание, правительство внесёт закон ещё раз.',
    };
    expect((await summaryOf(budget)).topics).not.toContain('Цирк');
  });

  it('gives a short text no topic that its words do not support', async () => {
    for (const title of ['Новый выпуск уже на канале', 'Season 2, episode 5', 'IMG_4471', 'Смотрите до конца'])
      expect((await summaryOf({ title })).topics).toEqual([]);
    const video = { type: 'video' as const, transcripts: ['Continued from last week. See you on Friday.'] };
    expect((await summaryOf(video)).topics).toEqual([]);
  });

  it('finds the topics of titles, subtitles and words in pictures', async () => {
    expect((await summaryOf({ title: 'Three rules of chess openings' })).topics).toContain('Chess');
    const transcripts = ['Инструктор учит вождению: выжмите сцепление, включите передачу.'];
    expect((await summaryOf({ type: 'video', transcripts })).topics).toContain('Вождение');
  });

  it('understands words in capitals, as on signs and posters', async () => {
    expect((await summaryOf({ title: 'МУЗЕЙ САМОВАРА' })).topics).toContain('Музеи и выставки');
    expect((await summaryOf({ title: 'ШАХМАТНЫЙ КЛУБ' })).topics).toContain('Шахматы');
  });

  it('finds topics by words that are no part of their vectors', async () => {
    expect((await summaryOf({ title: 'Пирожки и булочки на закваске' })).topics).toContain('Выпечка и десерты');
  });

  it('respects the topics that a project allows', async () => {
    const body = 'Вратарь отбил пенальти, и матч закончился вничью.';
    expect((await summaryOf({ body, topicsAllowed: ['Вратарь', 'Политика'] })).topics).toEqual(['Вратарь']);
  });

  const RECIPE = {
    title: 'Окрошка на кефире',
    body: 'Сварите картофель и яйца, нарежьте огурцы и редис, залейте холодным кефиром и посолите по вкусу.',
  };
  const ADVICE = {
    title: 'How to choose a mattress',
    body: 'Lie on it for ten minutes in the shop. Cars, phones and weather do not matter here: your back does.',
  };

  const LESSON = {
    title: 'Первый урок в автошколе',
    body: 'Инструктор учит вождению: выжмите сцепление, включите передачу, отпустите ручной тормоз и плавно троньтесь.',
  };

  it.each([
    ['in their own words', RECIPE, ['Погода', 'Рецепты', 'Кино'], ['Рецепты']],
    ['in another language', RECIPE, ['Weather', 'Recipes', 'Cinema'], ['Recipes']],
    ['and no topic that the text only mentions', ADVICE, ['Cars', 'Weather', 'Smartphones'], []],
    ['and no topic that is only a part of what it is about', RECIPE, ['Пицца', 'Суши'], []],
    [
      'and none that only shares a stem with a word of another topic of the dictionary',
      LESSON,
      ['Правый', 'Вождение'],
      ['Вождение'],
    ],
  ])('finds allowed topics of a text that does not contain their names, %s', async (_, item, topicsAllowed, topics) => {
    expect((await summaryOf({ ...item, topicsAllowed })).topics).toEqual(topics);
  });

  it('finds allowed topics in other languages by their words', async () => {
    const body = 'Трамвай жолы жөнделді, енді көлік уақытында жүреді. Қала тұрғындары көлік туралы сұрады.';
    expect((await summaryOf({ body, topicsAllowed: ['Көлік', 'Спорт'] })).topics).toEqual(['Көлік']);
  });
});

describe('the nearness of texts to topics', () => {
  /** Gives every text the same vector. */
  function uniform(): EmbeddingCapability {
    const vector = Float32Array.of(1, 0);
    return {
      ...providers.embedding,
      run: (texts) =>
        Promise.resolve(
          builtinResult(
            'uniform',
            texts.map(() => vector),
          ),
        ),
    };
  }

  it('is known for all names, even if there are more than the cache holds', async () => {
    const topicsAllowed = Array.from({ length: 2_001 }, (_, at) => `Topic ${at}`);
    const closeness = await createNearness(uniform()).similaritiesOf(
      inputOf({ title: 'Title', topicsAllowed }),
      context,
    );
    expect(closeness?.toNames.size).toBe(2_001);
  });

  it('is computed for an item even if another one, which began to compute what both need, is cancelled', async () => {
    const cancelled = new AbortController();
    const begun = Promise.withResolvers<void>();
    const nearness = createNearness({
      ...uniform(),
      run: async (texts, call) => {
        if (call.signal === cancelled.signal) {
          begun.resolve();
          await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
          call.signal.throwIfAborted();
        }
        return uniform().run(texts, call);
      },
    });
    const item = inputOf({ title: 'Title' });
    const first = nearness.similaritiesOf(item, { ...context, signal: cancelled.signal });
    await begun.promise;
    const second = nearness.similaritiesOf(item, context);
    cancelled.abort();
    await expect(first).rejects.toThrow(/abort/);
    expect((await second)?.toTopics.size).toBeGreaterThan(100);
  });
});
