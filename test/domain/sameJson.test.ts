import { expect, it } from '@jest/globals';
import { sameJson } from '../../domain/sameJson.ts';

it.each<[unknown, unknown]>([
  [
    { a: 1, b: [{ c: null }] },
    { b: [{ c: null }], a: 1 },
  ],
  [-0, 0],
  [[], []],
  [{}, {}],
  ['ё', 'ё'],
  [null, null],
])('%j equals %j', (a, b) => {
  expect([sameJson(a, b), sameJson(b, a)]).toEqual([true, true]);
});

it.each<[unknown, unknown]>([
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: null }, {}],
  [[], {}],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [0, false],
  [null, {}],
  ['1', 1],
  [{}, { toString: null }],
  [[1], { 0: 1 }],
  [{ a: undefined }, { b: undefined }],
  [{ a: 1 }, { a: 1, b: 1 }],
  [[], [null]],
  [JSON.parse('{"__proto__": 1}'), {}],
])('%j does not equal %j', (a, b) => {
  expect([sameJson(a, b), sameJson(b, a)]).toEqual([false, false]);
});
