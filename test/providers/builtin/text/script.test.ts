import { expect, it } from '@jest/globals';
import { isMostlyCyrillic } from '../../../../providers/builtin/text/script.ts';

it.each([
  ['Библиотека закрыта.', true],
  ['Премьера группы The Rolling Stones', true],
  ['The novel «Идиот» was written in Florence and printed in Moscow.', false],
  ['2024 — 12:30', null],
])('isMostlyCyrillic(%j) returns %s', (sentence, expected) => {
  expect(isMostlyCyrillic(sentence)).toBe(expected);
});
