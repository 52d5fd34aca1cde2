/** The exact path and code of every fault of a body. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { clientOf, createTestProject, startTestApi, type Client, type TestApi } from '../support/testApi.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

let database: TestDatabase;
let api: TestApi;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  call = clientOf(api.content, (await createTestProject(database.pool)).key);
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const medium = { kind: 'image', url: 'https://cdn.example.com/a.jpg' };
const image = (media: unknown): unknown => ({ type: 'image', media });
const text = (fields: object): unknown => ({ type: 'text', ...fields });
const withMedium = (fields: object): unknown => image([{ ...medium, ...fields }]);
/** Returns a properties object of exactly `bytes` bytes of JSON. */
const properties = (bytes: number): object => ({ p: 'x'.repeat(bytes - '{"p":""}'.length) });
/** Returns an address of exactly `length` characters. */
const address = (length: number): string => `https://e.com/${'x'.repeat(length - 'https://e.com/'.length)}`;
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

type Fault = [field: string, code: string];

const REFUSED: [what: string, body: unknown, faults: Fault[]][] = [
  // proves: decisions-faults/paths
  ['a body that is an array', [], [['', 'invalid_type']]],
  ['a body that is a string', '"item"', [['', 'invalid_type']]],
  ['a body that is null', 'null', [['', 'invalid_type']]],
  // proves: write/type, decisions-faults/required
  ['an empty object', {}, [['type', 'required']]],
  // proves: write/type
  ['a type that is null', { type: null }, [['type', 'invalid_type']]],
  ['a type that is a number', { type: 5 }, [['type', 'invalid_type']]],
  // proves: write/type, decisions-faults/invalid_value
  ['an unknown type', { type: 'pdf' }, [['type', 'invalid_value']]],
  // proves: service/6
  ['an unknown field', text({ titel: 'x' }), [['titel', 'unknown_field']]],
  ['a field that only answers have', text({ status: 'ready' }), [['status', 'unknown_field']]],
  ['__proto__ as a field', '{"type":"text","__proto__":{}}', [['__proto__', 'unknown_field']]],
  // proves: write/title, decisions-faults/invalid_type
  ['a title of another type', text({ title: 5 }), [['title', 'invalid_type']]],
  // proves: write/title, limits/texts, decisions-faults/too_long
  ['a title that is too long', text({ title: 'я'.repeat(1001) }), [['title', 'too_long']]],
  // proves: decisions-faults/characters
  ['a title of 1001 emoji', text({ title: '😀'.repeat(1001) }), [['title', 'too_long']]],
  // proves: write/description, limits/texts
  ['a description that is too long', text({ description: 'x'.repeat(20_001) }), [['description', 'too_long']]],
  // proves: write/body, limits/texts
  ['a text that is too long', text({ body: 'x'.repeat(1_000_001) }), [['body', 'too_long']]],
  // proves: write/author
  ['an author that is too long', text({ author: 'x'.repeat(192) }), [['author', 'too_long']]],
  // proves: write/url, limits/url, decisions-faults/long-url
  ['a url that is too long', text({ url: address(2049) }), [['url', 'too_long']]],
  // proves: write/published_at
  ['a time without a zone', text({ published_at: '2026-01-01T00:00:00' }), [['published_at', 'invalid_datetime']]],
  // proves: write/published_at
  ['a date alone', text({ published_at: '2026-01-01' }), [['published_at', 'invalid_datetime']]],
  ['a day that does not exist', text({ published_at: '2026-02-29T00:00:00Z' }), [['published_at', 'invalid_datetime']]],
  ['an empty time', text({ published_at: '' }), [['published_at', 'invalid_datetime']]],
  ['a time as a number', text({ published_at: 1_700_000_000 }), [['published_at', 'invalid_type']]],
  // proves: write/available, decisions-faults/nulls
  ['available: null', text({ available: null }), [['available', 'invalid_type']]],
  ['available: "true"', text({ available: 'true' }), [['available', 'invalid_type']]],
  // proves: write/properties
  ['properties as an array', text({ properties: [] }), [['properties', 'invalid_type']]],
  // proves: write/properties, limits/properties, decisions-faults/sizes, decisions-faults/large-object
  ['properties over 16 KB', text({ properties: properties(16 * 1024 + 1) }), [['properties', 'too_long']]],
  ['properties over 16 KB of UTF-8', text({ properties: { p: 'я'.repeat(8 * 1024) } }), [['properties', 'too_long']]],
  ['properties that are too deep', text({ properties: { deep: nested(200) } }), [['properties', 'invalid_value']]],
  [
    'a number beyond the range of a double',
    '{"type":"text","properties":{"a":{"b":1e999}}}',
    [['properties.a.b', 'invalid_value']],
  ],
  // proves: decisions-faults/unstorable
  ['NUL in a title', text({ title: 'a\0b' }), [['title', 'invalid_value']]],
  // proves: decisions-faults/unstorable
  ['a lone surrogate', '{"type":"text","body":"\\ud800"}', [['body', 'invalid_value']]],
  // proves: decisions-faults/unstorable
  ['NUL deep in properties', text({ properties: { a: [{ b: 'x\0' }] } }), [['properties.a[0].b', 'invalid_value']]],
  // proves: decisions-faults/unstorable
  ['NUL in a key', text({ properties: { 'a\0': 1 } }), [['properties.a\uFFFD', 'invalid_value']]],
  [
    'a lone surrogate in a key',
    '{"type":"text","properties":{"k":{"\\udfff":1}}}',
    [['properties.k.\uFFFD', 'invalid_value']],
  ],
  ['media that are not a list', image({}), [['media', 'invalid_type']]],
  ['a medium that is a string', image(['https://e.com/a.jpg']), [['media[0]', 'invalid_type']]],
  // proves: write/MediaIn
  [
    'an empty medium',
    image([{}]),
    [
      ['media[0].kind', 'required'],
      ['media[0].url', 'required'],
    ],
  ],
  ['a medium of an unknown kind', withMedium({ kind: 'pdf' }), [['media[0].kind', 'invalid_value']]],
  // proves: decisions-faults/paths
  ['a medium without an address', image([{ kind: 'image' }]), [['media[0].url', 'required']]],
  ['a medium with a null address', withMedium({ url: null }), [['media[0].url', 'invalid_type']]],
  ['a medium with an unknown field', withMedium({ title: 'x' }), [['media[0].title', 'unknown_field']]],
  // proves: write/MediaIn
  ['a version that is too long', withMedium({ version: 'x'.repeat(65) }), [['media[0].version', 'too_long']]],
  ['a version as a number', withMedium({ version: 2 }), [['media[0].version', 'invalid_type']]],
  // proves: write/MediaIn
  ['an http address', withMedium({ url: 'http://cdn.example.com/a.jpg' }), [['media[0].url', 'invalid_url']]],
  ['an empty address', withMedium({ url: '' }), [['media[0].url', 'invalid_url']]],
  ['an address without a scheme', withMedium({ url: 'cdn.example.com/a.jpg' }), [['media[0].url', 'invalid_url']]],
  [
    'an address with a user',
    withMedium({ url: 'https://me:pw@cdn.example.com/a.jpg' }),
    [['media[0].url', 'invalid_url']],
  ],
  ['an address of this machine', withMedium({ url: 'https://127.0.0.1/a.jpg' }), [['media[0].url', 'invalid_url']]],
  ['localhost as an address', withMedium({ url: 'https://localhost/a.jpg' }), [['media[0].url', 'invalid_url']]],
  // proves: write/MediaIn, limits/url, decisions-faults/long-url
  ['an address that is too long', withMedium({ url: address(2049) }), [['media[0].url', 'too_long']]],
  [
    'a fault in the second medium',
    image([medium, { ...medium, url: 'ftp://e.com/a' }]),
    [['media[1].url', 'invalid_url']],
  ],
  // proves: write/media, limits/media
  ['51 media', image(Array.from({ length: 51 }, () => medium)), [['media', 'too_long']]],
  // proves: write/media, decisions-items/media-of-type
  ['an image without media', { type: 'image' }, [['media', 'required']]],
  ['an image with media: null', image(null), [['media', 'required']]],
  // proves: decisions-items/media-of-type
  ['an image with no media in the list', image([]), [['media', 'invalid_value']]],
  // proves: write/media
  ['a video with an image', { type: 'video', media: [medium] }, [['media', 'invalid_value']]],
  // proves: write/media, decisions-items/media-of-type
  ['a text with media', text({ media: [medium] }), [['media', 'invalid_value']]],
  [
    'several faults at once',
    { type: 'video', title: 5, colour: 'red', published_at: 'now' },
    [
      ['title', 'invalid_type'],
      ['colour', 'unknown_field'],
      ['published_at', 'invalid_datetime'],
      ['media', 'required'],
    ],
  ],
];

describe('PUT /items/{id}', () => {
  it.each(REFUSED)('refuses %s', async (_what, body, faults) => {
    const answer = await call('PUT', '/items/fault', body);
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'validation_failed' } } });
    const details = answer.body.error.details as { field: string; code: string; message: string }[];
    expect(details.map(({ field, code }) => [field, code]).sort()).toEqual(faults.toSorted());
    for (const detail of details) expect(detail.message).toMatch(/[а-я]/);
    expect(answer.body.error.message).toMatch(/[а-я]/);
  });
});

const ACCEPTED: [what: string, body: unknown][] = [
  // proves: write/title, decisions-faults/characters
  ['1000 emoji in a title', text({ title: '😀'.repeat(1000) })],
  // proves: write/description
  ['a description of 20000 characters', text({ description: 'я'.repeat(20_000) })],
  // proves: write/body
  ['a text of a million characters', text({ body: 'я'.repeat(1_000_000) })],
  // proves: write/properties, decisions-faults/sizes
  ['properties of exactly 16 KB', text({ properties: properties(16 * 1024) })],
  // proves: write/url
  ['a url of 2048 characters', text({ url: address(2048) })],
  // proves: write/author
  ['an author of 191 emoji', text({ author: '😀'.repeat(191) })],
  // proves: write/MediaIn, limits/url
  [
    'a medium with an address of 2048 characters and a version of 64',
    withMedium({ url: address(2048), version: 'я'.repeat(64) }),
  ],
  // proves: write/media, limits/media
  ['50 media', image(Array.from({ length: 50 }, () => medium))],
  ['media and a mixed type', { type: 'mixed', media: [medium] }],
  ['a mixed type without media', { type: 'mixed' }],
  ['an empty list of media for a text', text({ media: [] })],
  ['media: null for a text', text({ media: null })],
  ['a time with an offset and no seconds', text({ published_at: '2026-01-01T00:00+03:00' })],
  ['the same key twice', '{"type":"image","type":"text"}'],
  ['a byte order mark', '\uFEFF{"type":"text"}'],
];

describe('PUT /items/{id} with a valid body', () => {
  it.each(ACCEPTED)('accepts %s', async (_what, body) => {
    const answer = await call('PUT', '/items/fine', body);
    expect(answer.body).not.toHaveProperty('error');
    expect([200, 201]).toContain(answer.status);
  });
});

// proves: decisions-faults/nulls
it('media: null in a PUT means none', async () => {
  expect((await call('PUT', '/items/bare', { type: 'mixed', media: [medium] })).body).not.toHaveProperty('error');
  expect((await call('PUT', '/items/bare', { type: 'mixed', media: null })).status).toBe(200);
  expect((await call('GET', '/items/bare')).body.media).toEqual([]);
});

describe('PATCH /items/{id}', () => {
  const cases: [string, unknown, Fault[]][] = [
    // proves: write/patch
    ['a type', { type: 'text' }, [['type', 'unknown_field']]],
    // proves: write/patch, decisions-faults/nulls
    ['media: null', { media: null }, [['media', 'invalid_type']]],
    // proves: write/patch, decisions-faults/nulls
    ['available: null', { available: null }, [['available', 'invalid_type']]],
    ['an array', [], [['', 'invalid_type']]],
  ];
  it.each(cases)('refuses %s', async (_what, body, faults) => {
    const answer = await call('PATCH', '/items/fine', body);
    expect(answer.status).toBe(422);
    expect(
      answer.body.error.details.map((detail: { field: string; code: string }) => [detail.field, detail.code]),
    ).toEqual(faults);
  });
});

describe('a very large body', () => {
  it('with a million faulty media gets only a hundred faults, quickly', async () => {
    const body = `{"type":"image","media":[${'{},'.repeat(1_000_000)}{}]}`;
    let answer = await call('GET', '/items/many');
    const cpuMs = await cpuMsOf(async () => (answer = await call('PUT', '/items/many', body)));
    expect(answer.status).toBe(422);
    expect(answer.body.error.details).toHaveLength(100);
    expect(cpuMs).toBeLessThan(15_000);
  });

  it('with 300,000 unknown fields gets only a hundred faults', async () => {
    const body = `{"type":"text",${Array.from({ length: 300_000 }, (_, index) => `"f${index}":0`).join(',')}}`;
    const answer = await call('PUT', '/items/many', body);
    expect(answer.body.error.details).toHaveLength(100);
    expect(answer.body.error.details[0]).toMatchObject({ field: 'f0', code: 'unknown_field' });
  });

  it('of two million nested lists is refused without a stack overflow', async () => {
    const body = `{"type":"text","properties":{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}}`;
    const answer = await call('PUT', '/items/deep', body);
    expect(answer.body.error.details).toMatchObject([{ field: 'properties', code: 'invalid_value' }]);
  });
});
