import { expect, it } from '@jest/globals';
import { zonesOf } from '../../../../providers/builtin/text/weightedTextZones.ts';

const textsOf = (title: string, body: string): string[] =>
  zonesOf({
    topicsAllowed: [],
    language: null,
    type: 'text',
    title,
    description: null,
    body,
    transcripts: [],
    frames: [],
  }).zones.map(({ text }) => text);

it('letters are composed with their combining marks, which would otherwise end a word', () => {
  const [title, body] = ['Старый трамвай', 'Ёлки у café блестят.'];
  expect(textsOf(title.normalize('NFD'), body.normalize('NFD'))).toEqual([title, body]);
});

it('stress marks and soft hyphens are left out, but accents of other alphabets stay', () => {
  expect(textsOf('Алекса\u0301ндр Пу\u0301шкин', 'Трам\u00adвай, o\u0323\u0301, ѝ')).toEqual([
    'Александр Пушкин',
    'Трамвай, \u1ecd\u0301, ѝ',
  ]);
});

it('typographic hyphens within words become the hyphen of keyboards, and dashes stay', () => {
  expect(textsOf('Санкт\u2011Петербург', 'Кресло\u2010качалка – старое')).toEqual([
    'Санкт-Петербург',
    'Кресло-качалка – старое',
  ]);
});
