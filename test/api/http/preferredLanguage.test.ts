import { expect, it } from '@jest/globals';
import { languageOf } from '../../../api/http/preferredLanguage.ts';

it.each([
  [undefined, 'ru'],
  ['', 'ru'],
  ['*', 'ru'],
  ['la, eo;q=0.5', 'ru'],
  ['en', 'en'],
  ['EN-gb', 'en'],
  ['en-GB,en;q=0.9,ru;q=0.8', 'en'],
  ['en;q=0.7, ru;q=0.9', 'ru'],
  ['ru, en', 'ru'],
  ['en;q=0, *', 'ru'],
  ['en;q=lots', 'ru'],
  ['english', 'ru'],
])('the language of %j is read as %s', (header, language) => {
  expect(languageOf(header === undefined ? {} : { 'accept-language': header })).toBe(language);
});
