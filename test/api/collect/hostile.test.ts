/** Batches designed to be expensive are refused or dropped, within a bound derived from honest batches. */
import { Buffer } from 'node:buffer';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { batch, collect, createTestSite, event, readInbox, type TestSite } from './support/site.ts';
import { stageApi } from '../support/stageApi.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

const stage = stageApi();
let site: TestSite;
const KB = 1024;

beforeAll(async () => {
  site = await createTestSite(stage.database.pool);
});

/** Returns a batch whose only event has this JSON text in one field. */
const textWith = (field: string, json: string): string =>
  JSON.stringify(batch(site.tagKey, [event({ [field]: 'HERE' })])).replace('"HERE"', () => json);
/** Returns a batch with this JSON text in a field of the envelope. */
const envelopeWith = (field: string, json: string): string =>
  JSON.stringify(batch(site.tagKey, [], { [field]: 'HERE' })).replace('"HERE"', () => json);
const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
const manyKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_key, index) => `"k${index}":0`).join(',')}}`;
/** Returns a batch with the maximum number of invalid events. */
const fifty = (change: object): string =>
  JSON.stringify(
    batch(
      site.tagKey,
      Array.from({ length: 50 }, () => event(change)),
    ),
  );

/**
 * Batches of at most 64 KB with their expected answers. `dropped` stands for either of two faults: the depth of the
 * stack decides which one is found first.
 */
const HOSTILE: [string, () => string, number, string | null][] = [
  ['lists in lists, in params', () => textWith('params', `{"a":${nested('[', ']', 30_000)}}`), 202, 'dropped'],
  ['lists in lists that are small', () => textWith('params', `{"a":${nested('[', ']', 900)}}`), 202, 'invalid_event'],
  [
    'objects in objects, in params',
    () => textWith('params', nested('{"a":', '}', 9_000).replace('}', '1}')),
    202,
    'dropped',
  ],
  ['lists in lists, in a user', () => textWith('user', `{"params":${nested('[', ']', 30_000)}}`), 202, 'invalid_event'],
  ['lists in lists, in an unknown field', () => textWith('more', nested('[', ']', 30_000)), 202, 'invalid_event'],
  ['lists in lists in the envelope', () => envelopeWith('device', nested('[', ']', 30_000)), 422, null],
  ['lists in lists for a batch', () => nested('[', ']', 32_000), 422, null],
  ['6,000 keys in params', () => textWith('params', manyKeys(6_000)), 202, 'too_large'],
  ['6,000 keys in a user', () => textWith('user', manyKeys(6_000)), 202, null],
  ['unknown fields without end', () => textWith('title', `"x",${manyKeys(6_000).slice(1, -1)}`), 202, 'invalid_event'],
  [
    'unknown fields without end in the envelope',
    () => envelopeWith('device', `null,${manyKeys(6_000).slice(1, -1)}`),
    422,
    null,
  ],
  ['a title of 60 KB', () => textWith('title', JSON.stringify('x'.repeat(60 * KB))), 202, 'invalid_event'],
  [
    'a url of 60 KB',
    () => textWith('url', JSON.stringify(`https://${'a.'.repeat(30 * KB)}test/`)),
    202,
    'invalid_event',
  ],
  [
    'a time of 60 KB',
    () => textWith('at', JSON.stringify(`2026-11-20T10:00:00.${'0'.repeat(60 * KB)}Z`)),
    202,
    'invalid_event',
  ],
  ['a goal of 60 KB', () => textWith('type', JSON.stringify('goal'.repeat(15 * KB))), 202, 'invalid_event'],
  ['a visitor of 60 KB', () => envelopeWith('visitor_id', JSON.stringify('0-'.repeat(30 * KB))), 422, null],
  [
    'an e-mail of 60 KB',
    () => textWith('user', JSON.stringify({ email: `${'a@'.repeat(30 * KB)}`, phone: '8'.repeat(100) })),
    202,
    null,
  ],
  [
    'half characters without end',
    () => textWith('params', JSON.stringify({ a: '\ud800'.repeat(300) })),
    202,
    'invalid_event',
  ],
  ['NUL without end', () => textWith('title', `"${'\\u0000'.repeat(900)}"`), 202, 'invalid_event'],
  [
    'numbers beyond the range of a double',
    () => textWith('params', `{"a":[${'1e999,'.repeat(300)}1]}`),
    202,
    'invalid_event',
  ],
  ['a number of 60,000 digits', () => textWith('x', '9'.repeat(60_000)), 202, 'invalid_event'],
  [
    'fifty bad events',
    () => fifty({ type: 'nothing', more: 1, title: '\0', params: { a: nested('[', ']', 100) } }),
    202,
    'invalid_event',
  ],
  ['30,001 events', () => envelopeWith('events', `[${'0,'.repeat(30_000)}0]`), 422, null],
  ['__proto__', () => textWith('__proto__', '{"id":"x"}'), 202, 'invalid_event'],
];

describe('a hostile batch', () => {
  it.each(HOSTILE)('of %s is answered and does not harm the process', async (_what, make, status, code) => {
    const body = make();
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(64 * KB);
    const answer = await collect(stage.api, body, { headers: { 'content-type': 'text/plain' } });
    expect(answer.status).toBe(status);
    const dropped: unknown = answer.body.dropped?.[0]?.code ?? null;
    if (code === 'dropped') expect(['too_large', 'invalid_event']).toContain(dropped);
    else if (status === 202) expect(dropped).toBe(code);
    expect(JSON.stringify(answer.body).length).toBeLessThan(20 * KB);
    expect((await collect(stage.api, batch(site.tagKey))).body.accepted).toBe(1);
  });

  it('with 20,000 keys is over 64 KB, and is refused before it is parsed', async () => {
    const { status, body } = await collect(stage.api, textWith('params', manyKeys(20_000)), {
      headers: { 'content-type': 'text/plain' },
    });
    expect([status, body.error.code]).toEqual([413, 'payload_too_large']);
  });

  it('costs less than 20 honest ones of its size, or less than a second', async () => {
    const median = async (make: () => string): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const body = make();
        times.push(await cpuMsOf(() => collect(stage.api, body, { headers: { 'content-type': 'text/plain' } })));
      }
      return times.toSorted((a, b) => a - b)[2] ?? Number.NaN;
    };
    const honest = (): string => fifty({ title: 'x'.repeat(400), params: { a: 'x'.repeat(400) } });
    await median(honest);
    // Honest batches take a few milliseconds; a quadratic cost takes seconds.
    const bound = Math.max(20 * (await median(honest)), 1_000);
    for (const [what, make] of HOSTILE) expect([what, (await median(make)) < bound]).toEqual([what, true]);
  });

  it('may contain params that only look dangerous', async () => {
    const own = await createTestSite(stage.database.pool);
    const text = JSON.stringify(batch(own.tagKey, [event({ params: 'HERE' })])).replace(
      '"HERE"',
      '{"__proto__":{"polluted":true},"constructor":"x"}',
    );
    expect((await collect(stage.api, text)).body).toEqual({ accepted: 1, dropped: [] });
    const [row] = await readInbox(stage.database.pool, own.id);
    expect(Object.entries(row?.batch.events[0]?.params ?? {})).toEqual([
      ['__proto__', { polluted: true }],
      ['constructor', 'x'],
    ]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
