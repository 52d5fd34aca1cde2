import { expect, it } from '@jest/globals';
import { languageHeard } from '../../../activities/ai/itemLanguage.ts';

const GERMAN = 'Ich weiß nicht, was soll es bedeuten, dass ich so traurig bin';

it.each([
  ['found by the recogniser', GERMAN, 'de', 'fr', 'de'],
  ['that the recogniser was told, if it states none', GERMAN, null, 'de', 'de'],
  ['of the words', 'We are going home tomorrow', null, 'de', 'en'],
  ['unknown if the words contradict what the recogniser was told', GERMAN, null, 'ru', null],
  ['unknown if the words say nothing', 'Nike Max', null, 'de', null],
])('the language of a transcript is the one %s', (_what, text, language, told, expected) => {
  expect(languageHeard({ text, language }, told)).toBe(expected);
});
