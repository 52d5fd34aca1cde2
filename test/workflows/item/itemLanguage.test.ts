/** The language that each step of the analysis is told to write in, through the real workflow. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateProject } from '../../../db/accounts/projects.ts';
import { reprocessItem } from '../../../db/items/writeItems.ts';
import { createFakeProviders, fakeResult } from '../../support/items/fakeProviders.ts';
import { ItemStage } from '../../support/items/itemStage.ts';
import { mediaItem, medium } from '../../support/items/items.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';

let temporal: TestTemporal;
let stage: ItemStage;
/** By step: the language that its provider was given. */
let told: Record<string, string | null>;
/** The language of descriptions for pictures without text. */
let fallback: string | undefined;
/** A text in the language of the descriptions. */
let languageSample: string | undefined;
/** The words that the recogniser was shown. */
let hint: string | null | undefined;
/** The recogniser's answer. */
let heard: { text: string; language: string | null };
let topics: readonly string[];
/** The language that the summariser states. */
let answered: string;

beforeAll(async () => {
  temporal = await createTestTemporal();
  stage = await ItemStage.open({ temporal });
});
beforeEach(() => {
  told = {};
  heard = { text: 'mmm', language: null };
  answered = 'ru';
  const { speech, vision, summary, ...others } = createFakeProviders();
  if (!speech || !vision || !summary) throw new Error('the fakes lack a provider');
  Object.assign(stage.providers, others, {
    speech: {
      ...speech,
      run: (input: Parameters<typeof speech.run>[0]) => {
        told['speech'] = input.language;
        ({ hint } = input);
        return Promise.resolve(fakeResult({ ...heard, timestamps: 'model', segments: [] }));
      },
    },
    vision: {
      ...vision,
      run: (input: Parameters<typeof vision.run>[0], context: Parameters<typeof vision.run>[1]) => {
        told['vision'] = input.language;
        ({ fallback, languageSample } = input);
        return vision.run(input, context);
      },
    },
    summary: {
      ...summary,
      run: async (input: Parameters<typeof summary.run>[0], context: Parameters<typeof summary.run>[1]) => {
        told['summary'] = input.language ?? input.materialLanguage ?? null;
        topics = input.topicsAllowed;
        const { value, ...rest } = await summary.run(input, context);
        return { ...rest, value: { ...value, language: answered } };
      },
    },
  });
});
afterAll(async () => {
  await stage?.close();
  await temporal?.close();
});

/** Returns Russian words in markup that is English. */
const inHtml = (words: string) => `<b class="about-the-tram with the-photo of-the-depot">${words}</b>`;

async function analyse(id: string, title: string) {
  await stage.put(id, mediaItem('video', [medium('video', 'a')], { title }));
  await stage.finish(id);
  return stage.read(id);
}

describe('the language of the analysis', () => {
  // proves: decisions-results/language
  it('is that of the content unless the project has one', async () => {
    const item = await analyse('auto', 'How the tram went back to the depot after its repair');
    expect(told).toEqual({ speech: null, vision: 'en', summary: 'en' });
    expect(topics).toEqual([]);
    expect(hint).toBe('How the tram went back to the depot after its repair');
    expect(item?.transcript?.[0]).toMatchObject({ language: null });
  });

  it.each([
    ['IMG 2041', 'ru'],
    ['Nike Air Max 270', 'en'],
    ['', 'ru'],
  ])('is unknown if the texts do not reveal it: %s', async (title, language) => {
    await stage.database.pool.query('delete from item_summaries');
    await analyse(`silent ${title}`, title);
    expect(told).toEqual({ speech: null, vision: null, summary: null });
    expect(fallback).toBe(language);
    expect(languageSample).toBeUndefined();
  });

  it.each([
    ['German', 'Das ist nicht mein Fahrrad', 'en'],
    ['Ukrainian', 'Трамвай повернувся до депо після ремонту', 'ru'],
    ['German, in HTML', inHtml('Das ist nicht mein Fahrrad'), 'en'],
  ])('of pictures is shown by the beginning of texts in a third language: %s', async (name, title, last) => {
    await analyse(`third language ${name}`, title);
    expect(told).toEqual({ speech: null, vision: null, summary: null });
    expect(languageSample).toBe(title.replace(/<[^>]*>/g, ''));
    expect(fallback).toBe(last);
  });

  it('is that of the texts, also for the summary of a recording in another one', async () => {
    heard = { text: 'Today we are going to talk about the history of the tram.', language: 'en' };
    await analyse('talk', 'Как трамвай вернулся в депо после ремонта');
    expect(told).toEqual({ speech: null, vision: 'ru', summary: 'ru' });
  });

  it('is that of the words of texts in HTML', async () => {
    await analyse('html', inHtml('Как трамвай вернулся в депо'));
    expect(told).toEqual({ speech: null, vision: 'ru', summary: 'ru' });
  });

  it('of a summary is that of the speech if the texts do not reveal it', async () => {
    heard = { text: 'Today we are going to talk about the history of the tram.', language: 'en' };
    await analyse('untitled talk', 'IMG 2044');
    expect(told['summary']).toBe('en');
  });

  it('of pictures without text is that of most texts of the catalogue, not what models said of them', async () => {
    await stage.database.pool.query('delete from item_summaries');
    answered = 'eo';
    for (const n of [1, 2]) await analyse(`hostile ${n}`, `IMG 300${n}`);
    for (const n of [1, 2]) await analyse(`two ${n}`, `Как трамвай номер ${n} вернулся в депо после ремонта`);
    await analyse('early', 'Nike Air Max 270');
    expect(fallback).toBe('en');
    await analyse('third', 'Как трамвай номер 3 вернулся в депо после ремонта');
    await analyse('brand', 'Nike Air Max 270');
    expect(fallback).toBe('ru');
  });

  it('of pictures is that of the speech if the texts do not reveal it', async () => {
    heard = { text: 'Today we are going to talk about the history of the tram.', language: null };
    await analyse('spoken', 'IMG 2042');
    const { projectId } = stage;
    const request = { projectId, itemId: 'spoken', steps: ['vision' as const], requestId: null };
    await reprocessItem(stage.database.pool, request);
    await stage.relay();
    await stage.finish('spoken');
    expect(told['vision']).toBe('en');
  });

  it('of pictures is shown by speech in a third language if the texts do not reveal it', async () => {
    heard = { text: 'Das ist nicht mein Fahrrad. '.repeat(20), language: 'de' };
    await analyse('spoken in German', 'IMG 2046');
    const { projectId } = stage;
    const request = { projectId, itemId: 'spoken in German', steps: ['vision' as const], requestId: null };
    await reprocessItem(stage.database.pool, request);
    await stage.relay();
    await stage.finish('spoken in German');
    expect(told['vision']).toBeNull();
    expect(languageSample).toBe(heard.text.slice(0, 200).trim());
  });

  it.each([
    ['its words', 'How the tram went back to the depot', 'ru', 'en'],
    ['the recogniser', 'mmm', 'kk', 'kk'],
    ['nobody', '', 'kk', null],
  ])('of a transcript is stated by %s', async (name, text, language, expected) => {
    heard = { text, language };
    const item = await analyse(`stated by ${name}`, 'Как трамвай вернулся в депо после ремонта');
    expect(item?.transcript?.[0]).toMatchObject({ language: expected });
  });

  // proves: decisions-results/language-used, decisions-results/topics
  it('is that of the project, with its topics', async () => {
    await stage.database.pool.query('delete from item_summaries');
    await updateProject(stage.database.pool, stage.projectId, { language: 'kk', topics: ['Транспорт'] });
    await analyse('kazakh', 'IMG 2043');
    expect(told).toEqual({ speech: 'kk', vision: 'kk', summary: 'kk' });
    expect(topics).toEqual(['Транспорт']);
  });

  it.each([
    ['mostly in another one', 'How the tram number %n went back to the depot after its repair', null],
    ['mostly in this one', 'Как трамвай номер %n вернулся в депо после ремонта', 'ru'],
    ['mostly in this one, in HTML', inHtml('Как трамвай номер %n вернулся в депо'), 'ru'],
    ['heard in another one, by a recogniser that may have been told so', 'IMG 306%n', 'ru'],
  ])(
    'is told to the recogniser of an untitled recording unless the texts of the catalogue are mostly in another one: %s',
    async (name, title, expected) => {
      if (title.startsWith('IMG')) heard = { text: 'Today we talk about the history of the tram.', language: null };
      await stage.database.pool.query('delete from item_summaries');
      await updateProject(stage.database.pool, stage.projectId, { language: 'ru' });
      for (const n of [1, 2, 3]) await analyse(`${name} ${n}`, title.replace('%n', String(n)));
      await analyse(`${name}, untitled`, 'IMG 2045');
      expect(told).toEqual({ speech: expected, vision: 'ru', summary: 'ru' });
    },
  );

  it('is told to the recogniser if the words of a text in HTML are in it', async () => {
    await updateProject(stage.database.pool, stage.projectId, { language: 'ru' });
    await analyse('html told', inHtml('Как трамвай вернулся в депо'));
    expect(told).toEqual({ speech: 'ru', vision: 'ru', summary: 'ru' });
  });

  it('is not told to the recogniser if the texts are in another one', async () => {
    await updateProject(stage.database.pool, stage.projectId, { language: 'kk' });
    await analyse('english', 'How the tram went back to the depot after its repair');
    expect(told).toEqual({ speech: null, vision: 'kk', summary: 'kk' });
  });
});
