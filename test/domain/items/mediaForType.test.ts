import { expect, it } from '@jest/globals';
import type { MediumWrite } from '../../../domain/items/item.ts';
import { mediaFault } from '../../../domain/items/mediaForType.ts';
import { ITEM_TYPES, MEDIA_KINDS } from '../../../domain/analysis/steps.ts';

const of = (...kinds: MediumWrite['kind'][]): MediumWrite[] =>
  kinds.map((kind) => ({ kind, url: 'https://a.test/1', version: null }));

// proves: decisions-items/media-of-type
it('an item needs at least one medium of its own kind', () => {
  for (const type of MEDIA_KINDS) {
    expect(mediaFault(type, [], false)).toBe('required');
    expect(mediaFault(type, [], true)).toBe('invalid_value');
    for (const kind of MEDIA_KINDS)
      expect(mediaFault(type, of(kind), true)).toBe(kind === type ? null : 'invalid_value');
    expect(mediaFault(type, of(...MEDIA_KINDS), true)).toBeNull();
  }
});

// proves: decisions-items/media-of-type
it('a text has no media, and a mixed item may have any', () => {
  expect(mediaFault('text', [], false)).toBeNull();
  expect(mediaFault('text', [], true)).toBeNull();
  expect(mediaFault('text', of('image'), true)).toBe('invalid_value');
  expect(mediaFault('mixed', [], false)).toBeNull();
  expect(mediaFault('mixed', of('image', 'audio'), true)).toBeNull();
  expect(ITEM_TYPES).toEqual(['video', 'image', 'audio', 'text', 'mixed']);
});
