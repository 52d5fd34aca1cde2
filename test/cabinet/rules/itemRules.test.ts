/** The rules of the item pages: drafts of forms, filters in URLs, remedies for failures. */
import { describe, expect, it } from '@jest/globals';
import { isFiltered, itemListSearchOf, itemQueryOf } from '../../../cabinet/src/data/items/itemFilter.ts';
import type { Item } from '../../../cabinet/src/data/items/items.ts';
import { reasonOf, blockersOf, stepsToRun } from '../../../cabinet/src/pages/content/item/analysis/remedies.ts';
import {
  BLANK_ITEM,
  changeOf,
  draftOf,
  propertiesOf,
  putOf,
  wholeOf,
  withType,
} from '../../../cabinet/src/pages/content/itemForm/itemDraft.ts';
import { en } from '../../../cabinet/src/words/en/index.ts';

const step = { state: 'done', model: null, retry_at: null } as const;
const ITEM: Item = {
  id: 'lesson',
  type: 'video',
  title: 'A tram',
  description: null,
  body: 'It turns.',
  author: null,
  url: null,
  published_at: '2026-11-20T09:00:12.345Z',
  properties: { level: 'B1' },
  origin: 'api',
  available: true,
  deleted: false,
  status: 'ready',
  processing: { prepare: 'done', speech: 'done', vision: 'done', summary: 'done', embedding: 'done' },
  steps: { prepare: step, speech: step, vision: step, summary: step, embedding: step },
  updated_at: '2026-11-20T09:04:11.275Z',
  media: [
    {
      position: 0,
      kind: 'video',
      url: 'https://cdn.example.com/a.mp4',
      version: '3',
      duration_sec: null,
      width: null,
      height: null,
      status: 'ready',
      play_url: '',
    },
  ],
  summary: null,
};

describe('the form of an item', () => {
  it('sends nothing for an unchanged item, not even a fraction of a second', () => {
    expect(changeOf(ITEM, draftOf(ITEM))).toEqual({});
  });

  it('sends only changed fields; an emptied field is cleared, and a medium keeps its version', () => {
    const media = [
      ...draftOf(ITEM).media,
      { kind: 'image' as const, url: ' https://cdn.example.com/b.jpg ', version: '' },
    ];
    expect(changeOf(ITEM, { ...draftOf(ITEM), title: ' ', available: false, media })).toEqual({
      title: null,
      available: false,
      media: [
        { kind: 'video', url: 'https://cdn.example.com/a.mp4', version: '3' },
        { kind: 'image', url: 'https://cdn.example.com/b.jpg', version: null },
      ],
    });
  });

  it('sends every field of an item when all of them have changed', () => {
    const draft = {
      ...draftOf(ITEM),
      title: 'a',
      description: 'b',
      body: 'c',
      author: 'd',
      url: 'https://example.com/e',
      publishedAt: '2026-11-21T09:00:00',
      properties: '{}',
      media: [],
      available: false,
    };
    const { type: _stays, ...whole } = putOf(draft) ?? {};
    expect(changeOf(ITEM, draft)).toEqual(whole);
    expect(Object.keys(whole).sort()).toEqual(
      Object.keys(wholeOf(ITEM))
        .filter((field) => field !== 'type')
        .sort(),
    );
  });

  it('sends a whole new item, without lines that were never filled in', () => {
    const draft = { ...withType(BLANK_ITEM, 'video'), title: 'New', properties: '{"level": "B1"}' };
    expect(draft.media).toEqual([{ kind: 'video', url: '', version: '' }]);
    expect(putOf(draft)).toMatchObject({ type: 'video', title: 'New', body: null, media: [], published_at: null });
    expect(putOf(withType(draft, 'text'))).not.toHaveProperty('media');
  });

  it('undoes a deletion by putting the item as it is', () => {
    expect(wholeOf(ITEM)).toEqual({
      type: 'video',
      title: 'A tram',
      description: null,
      body: 'It turns.',
      author: null,
      url: null,
      published_at: '2026-11-20T09:00:12.345Z',
      properties: { level: 'B1' },
      media: [{ kind: 'video', url: 'https://cdn.example.com/a.mp4', version: '3' }],
      available: true,
    });
  });

  it.each([
    ['', null],
    ['{"a": 1}', { a: 1 }],
    ['[1]', undefined],
    ['null', undefined],
    ['{a: 1}', undefined],
  ])('reads properties: %s', (text, properties) => {
    expect(propertiesOf(text)).toEqual(properties);
    expect(putOf({ ...BLANK_ITEM, properties: text }) === null).toBe(properties === undefined);
  });
});

describe('the list of items', () => {
  it('reads its filters from the address, and ignores malformed ones', () => {
    const search = {
      status: 'ready',
      type: 'film',
      moderation: 'high',
      visible: 'hidden',
      q: 42,
      view: 'grid',
      step: 'x',
    };
    const filter = itemListSearchOf(search);
    expect(filter).toMatchObject({ status: 'ready', type: undefined, q: '42', view: 'grid' });
    expect(itemQueryOf(filter)).toEqual({ status: 'ready', moderation: 'high', available: false, q: '42' });
    expect(itemQueryOf(itemListSearchOf({ visible: 'deleted' }))).toEqual({ deleted: true });
    expect([isFiltered(filter), isFiltered({}), isFiltered(itemListSearchOf({ view: 'grid' }))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a stopped analysis', () => {
  const failed: Item = {
    ...ITEM,
    status: 'failed',
    processing: { prepare: 'failed', speech: 'failed', vision: 'failed', summary: 'deferred', embedding: 'deferred' },
    steps: { ...ITEM.steps, summary: { ...step, state: 'deferred', retry_at: '2026-11-20T10:00:00.000Z' } },
    processing_errors: {
      prepare: { code: 'media_not_found', message: 'нет', media_position: 0 },
      speech: { code: 'media_not_found', message: 'нет', media_position: 0 },
      vision: { code: 'provider_refused', message: 'нет', media_position: 0 },
      summary: { code: 'provider_quota', message: 'нет' },
    },
  };

  it('is explained reason by reason, failures first', () => {
    expect(blockersOf(failed).map(({ code, steps, retryAt }) => [code, steps, retryAt])).toEqual([
      ['media_not_found', ['prepare', 'speech'], null],
      ['provider_refused', ['vision'], null],
      ['provider_quota', ['summary'], '2026-11-20T10:00:00.000Z'],
    ]);
    expect(blockersOf(ITEM)).toEqual([]);
  });

  it('is explained if it waits for volume', () => {
    const waiting = { ...ITEM, processing: { ...ITEM.processing, speech: 'waiting' as const } };
    expect(blockersOf(waiting)).toMatchObject([{ code: null, steps: ['speech'] }]);
  });

  it('is rerun with the affected steps, or completely if the preparation is one of them', () => {
    const [whole, vision] = blockersOf(failed);
    expect(stepsToRun(vision ? [vision] : [])).toEqual(['vision']);
    expect(stepsToRun(whole && vision ? [whole, vision] : [])).toBeNull();
  });

  it("is never explained in the server's words, which are Russian", () => {
    const unknown = { ...failed, processing_errors: { speech: { code: 'a_code_to_come', message: 'нет' } } };
    expect(reasonOf(failed, 'vision', en)).toBe('The provider refused the content');
    expect(reasonOf(unknown, 'speech', en)).toBe('Another reason');
    expect(reasonOf(unknown, 'vision', en)).toBeUndefined();
  });
});
