import { describe, expect, it } from '@jest/globals';
import {
  transcriptLanguage,
  languageOfItem,
  languageOfItsTexts,
  usualLanguage,
} from '../../../activities/ai/itemLanguage.ts';
import { putItem } from '../../../db/items/writeItems.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const GERMAN = 'Ich weiß nicht, was soll es bedeuten, dass ich so traurig bin';

it.each([
  ['the one that the recogniser found', GERMAN, 'de', 'fr', 'de'],
  ['the one that the recogniser was told, if it states none', GERMAN, null, 'de', 'de'],
  ['that of the words', 'We are going home tomorrow', null, 'de', 'en'],
  ['unknown if the words contradict what the recogniser was told', GERMAN, null, 'ru', null],
  ['unknown if the words say nothing', 'Nike Max', null, 'de', null],
])('the language of a transcript is %s', (_what, text, language, told, expected) => {
  expect(transcriptLanguage({ text, language }, told)).toBe(expected);
});

const RUSSIAN = 'Трамвай вернулся в депо после ремонта, и люди ждали его целую неделю.';
const ENGLISH = 'The tram went back to the depot after its repair.';
/** Russian, in markup that is English. */
const RUSSIAN_HTML = `<div class="about-the-tram with the-photo of-the-depot"><a href="https://e.example/the-tram-is-back-in-the-depot">${RUSSIAN}</a></div>`;
const nothing = { title: null, description: null, body: null, transcripts: [], frames: [] };

describe('the language of an item', () => {
  it.each([
    ['that of its own texts', { title: 'IMG 2041', body: RUSSIAN, transcripts: [{ text: ENGLISH }] }, 'ru'],
    ['that of the words of its own texts in HTML', { title: 'IMG 2041', body: RUSSIAN_HTML, transcripts: [] }, 'ru'],
    [
      'that of its words, however long the style sheet before them is',
      { body: `<style>${'.the{of:and}'.repeat(999)}</style>${RUSSIAN_HTML}` },
      'ru',
    ],
    [
      'that of its speech if its own text has no words',
      { body: '<p class="about the-tram"> </p>', transcripts: [{ text: RUSSIAN }] },
      'ru',
    ],
    ['that of its speech', { title: 'IMG 2041', transcripts: [{ text: ENGLISH }] }, 'en'],
    ['that of the text in its pictures', { frames: [{ ocrText: ENGLISH }] }, 'en'],
    ['unknown if its words say nothing', { title: 'IMG 2041' }, null],
    [
      'unknown if its own texts are in neither Russian nor English',
      { title: GERMAN, transcripts: [{ text: ENGLISH }] },
      null,
    ],
  ])('is %s', (_name, texts, language) => {
    expect(languageOfItem({ ...nothing, ...texts })).toBe(language);
  });
});

it('the language of the texts of an item is that of their words, or else that of its project', async () => {
  const { pool, drop } = await createTestDatabase();
  const projectId = await createTestProject(pool);
  const languageOf = async (body: string) => {
    const ref = { projectId, itemId: 'item' };
    await putItem(pool, { ...ref, content: textItem({ title: null, body }), origin: 'api', requestId: null });
    return languageOfItsTexts(pool, ref);
  };
  expect(await languageOf(RUSSIAN_HTML)).toBe('ru');
  expect(await languageOf('IMG 2041')).toBeNull();
  await pool.query("update projects set language = 'de' where id = $1", [projectId]);
  expect(await languageOf('IMG 2042')).toBe('de');
  expect(await languageOf(ENGLISH)).toBe('en');
  expect(await languageOfItsTexts(pool, { projectId, itemId: 'unknown' })).toBeNull();
  await drop();
});

describe('the usual language of a catalogue', () => {
  const item = (body: string, stated: string | null = null, heard = '') => ({
    own: { title: null, description: null, body },
    heard,
    stated,
  });

  it.each([
    ['that of most texts', [item(RUSSIAN), item(RUSSIAN), item(RUSSIAN), item(ENGLISH)], 'ru'],
    ['that of their words, not of their markup', Array(3).fill(item(RUSSIAN_HTML)), 'ru'],
    ['that of the speech of items without texts', Array(3).fill(item('IMG 2041', null, ENGLISH)), 'en'],
    [
      'unknown if no language has more than half of the items',
      [RUSSIAN, RUSSIAN, RUSSIAN, ENGLISH, ENGLISH, ENGLISH].map((text) => item(text)),
      null,
    ],
    ['unknown with fewer than three items', [item(RUSSIAN), item(RUSSIAN)], null],
    ['the one that models state for texts in neither Russian nor English', Array(3).fill(item(GERMAN, 'de')), 'de'],
    ['never a language that does not exist', Array(3).fill(item(GERMAN, 'zz')), null],
    ['never the one that models state for texts in Russian', Array(3).fill(item(RUSSIAN, 'eo')), 'ru'],
    ['never the one that models state for items without texts', Array(3).fill(item('IMG 2041', 'eo')), null],
    ['never Russian only because a model takes another language for Russian', Array(3).fill(item(GERMAN, 'ru')), null],
  ])('is %s', (_name, items, language) => {
    expect(usualLanguage(items)).toBe(language);
  });
});
