import { expect, it } from '@jest/globals';
import { Labels } from '../../../../output/search/index/labels.ts';

it('labels are found by the beginning of any of their words, whatever separates these', () => {
  const labels = new Labels();
  labels.set(0, ['#музыка', 'Rock-n-Roll', 'Концерты (Live)', 'Музыкальное']);
  labels.set(1, ['Rock-n-Roll', 'Новый рок']);
  labels.set(2, ['Музыкальное', 'Enroll']);
  const found = (typed: string) => labels.withWordPrefix(typed, 10);
  expect(['roll', 'live', 'рок', 'rock-n'].map(found)).toEqual([
    ['Rock-n-Roll'],
    ['Концерты (Live)'],
    ['Новый рок'],
    ['Rock-n-Roll'],
  ]);
  expect(found('музык')).toEqual(['Музыкальное', '#музыка']);
});

it('no word begins after an apostrophe within a word', () => {
  const labels = new Labels();
  labels.set(0, ["Children's books", 'Rock songs', "'Songs'"]);
  expect(labels.withWordPrefix('s', 10)).toEqual(["'Songs'", 'Rock songs']);
});
