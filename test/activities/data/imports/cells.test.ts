import { describe, expect, it } from '@jest/globals';
import Type from 'typebox';
import { cellReader } from '../../../../activities/data/imports/cells.ts';
import { ItemPutRequest } from '../../../../domain/schemas/itemFields.ts';
import { dateTime, freeObject, nullable, oneOf, text } from '../../../../domain/schemas/schema.ts';

describe('a cell', () => {
  const FIELDS = {
    title: Type.Optional(nullable(text(10))),
    type: oneOf(['text', '7']),
    published_at: Type.Optional(nullable(dateTime())),
    featured: Type.Optional(Type.Boolean()),
    hidden: Type.Optional(nullable(Type.Boolean())),
    rank: Type.Optional(nullable(Type.Integer())),
    price: Type.Number(),
    tags: Type.Optional(nullable(Type.Array(Type.String()))),
    extra: Type.Optional(nullable(freeObject())),
    either: Type.Optional(Type.Union([Type.Integer(), Type.Array(Type.Integer())])),
  };
  const read = cellReader(FIELDS);

  it.each<[string, string, unknown]>([
    ['title', '7', '7'],
    ['title', 'true', 'true'],
    ['title', '{"a":1}', '{"a":1}'],
    ['type', '7', '7'],
    ['published_at', '2026', '2026'],
    ['id', '7', '7'],
    ['featured', ' TRUE ', true],
    ['hidden', '0', false],
    ['rank', '7', 7],
    ['price', ' 1.5', 1.5],
    ['tags', '["a"]', ['a']],
    ['extra', '{"a":1}', { a: 1 }],
    ['either', '[1]', [1]],
  ])('of the column %s is read as the type of its field: %s', (column, cell, value) => {
    expect(read(column, cell)).toEqual(value);
  });

  it.each([
    ['featured', 'yes'],
    ['rank', 'seven'],
    ['price', '1,5'],
    ['tags', '[a]'],
    ['extra', '{'],
  ])('of the column %s stays a text if it is of another type, for the validation to report: %s', (column, cell) => {
    expect(read(column, cell)).toBe(cell);
  });
});

it('every field of an item is read as a text, except available, properties and media', () => {
  const read = cellReader(ItemPutRequest.properties);
  const others: Readonly<Record<string, [string, unknown]>> = {
    available: ['1', true],
    properties: ['{"level":7}', { level: 7 }],
    media: ['[]', []],
  };
  for (const column of ['id', ...Object.keys(ItemPutRequest.properties)]) {
    const [cell, value] = others[column] ?? ['7', '7'];
    expect([column, read(column, cell)]).toEqual([column, value]);
  }
});
