/**
 * Webhook requests as an HTTPS server receives them from the real sender, with a fixed secret and fixed times, so
 * that every recording is the same; and requests derived from them that must be refused.
 */
import { createHmac } from 'node:crypto';
import { signedRequest, userAgentOf, type DeliveryContent } from '../../../domain/webhooks/webhookRequest.ts';
import { TEST_ITEM } from '../../../domain/webhooks/testItem.ts';
import { isSuccess } from '../../../loops/delivery/attempt.ts';
import { postOnce } from '../../../platform/outgoing/post.ts';
import { answer, LOOPBACK, startAgent, startHttps, TEST_CA } from '../../platform/outgoing/support/servers.ts';

export type HeaderPair = [name: string, value: string];

export interface RecordedRequest {
  name: string;
  /** Unix seconds at which it is checked. */
  now: number;
  headers: HeaderPair[];
  /** Base64. */
  body: string;
}

export interface Recording {
  secret: string;
  good: (RecordedRequest & { event: unknown })[];
  bad: (RecordedRequest & { reason: string })[];
}

export const SECRET = `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'.padEnd(40, 'Az09')}`;
const OTHER_SECRET = `whsec_${'Q'.repeat(40)}`;
const STARTED_AT = new Date('2025-11-21T10:00:00.999Z');
const SIGNED_AT = Math.floor(STARTED_AT.getTime() / 1000);

const DELIVERY = { projectId: 'abc123def456', deliveryId: '01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c' };
const CONTENTS: Record<string, DeliveryContent> = {
  'item.processed': { ...DELIVERY, event: 'item.processed', item: { ...TEST_ITEM, id: 'lesson-42' } },
  'item.processed with a summary, in several scripts': {
    ...DELIVERY,
    event: 'item.processed',
    item: {
      ...TEST_ITEM,
      id: 'видео/ё 42',
      summary: {
        summary: 'Разбор «глаголов» движения.\n"Quoted"\t\\ 日本語 \u2028 \u00a0 🚋 e\u0301',
        topics: ['грамматика'],
        tags: [],
        age_rating: '6+',
        moderation: { level: 'low', categories: { violence: 0.1 }, evidence: [{ text: '</script>' }] },
      },
    },
  },
  'item.failed of a partial item': {
    ...DELIVERY,
    event: 'item.failed',
    item: {
      id: 'clip.7',
      status: 'partial',
      processing: { ...TEST_ITEM.processing, vision: 'failed' },
      summary: { summary: 'О чём это', topics: [], tags: ['b'], age_rating: null, moderation: null },
    },
  },
  'item.failed of a failed item': {
    ...DELIVERY,
    event: 'item.failed',
    item: {
      id: 'x',
      status: 'failed',
      processing: { prepare: 'failed', speech: 'skipped', vision: 'skipped', summary: 'skipped', embedding: 'skipped' },
    },
  },
  'webhook.test': { ...DELIVERY, event: 'webhook.test', item: TEST_ITEM },
};

/**
 * Records the requests. The servers end with the other test servers: call `cleanUp` of
 * test/platform/outgoing/support/servers.ts afterwards.
 */
export async function record(): Promise<Recording> {
  const requests = await receive(Object.values(CONTENTS));
  const good = Object.keys(CONTENTS).map((name, index) => {
    const { headers, body } = requests[index] ?? { headers: [], body: Buffer.alloc(0) };
    return {
      name,
      now: SIGNED_AT,
      headers,
      body: body.toString('base64'),
      event: JSON.parse(body.toString('utf8')) as unknown,
    };
  });
  const [, sample] = good;
  if (sample === undefined) throw new Error('nothing was received');
  return { secret: SECRET, good: [...good, ...edgesOf(sample)], bad: badOnes(sample) };
}

interface Received {
  headers: HeaderPair[];
  body: Buffer;
}

/** Sends each as an attempt does. The port, which differs each time, is left out of Host. */
async function receive(contents: DeliveryContent[]): Promise<Received[]> {
  const received: Received[] = [];
  const server = await startHttps(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray());
    const names = incoming.rawHeaders.filter((_text, index) => index % 2 === 0);
    const pairs = names.map((name, index): HeaderPair => [name, incoming.rawHeaders[index * 2 + 1] ?? '']);
    received.push({
      headers: pairs.map(([name, value]) => [name, name.toLowerCase() === 'host' ? value.replace(/:\d+$/, '') : value]),
      body,
    });
    response.writeHead(204).end();
  });
  const agent = startAgent({ allow: LOOPBACK, resolve: answer('127.0.0.1'), extraCa: [TEST_CA] });
  for (const content of contents) {
    const request = signedRequest(content, SECRET, STARTED_AT, userAgentOf('https://attune.example'));
    await postOnce(agent, {
      url: `https://receiver.test:${server.port}/hook`,
      ...request,
      isSuccess,
      deadlineMs: 10_000,
    });
  }
  return received;
}

type Good = Recording['good'][number];

function edgesOf(sample: Good): Good[] {
  const lower = sample.headers.map(([name, value]): HeaderPair => [name.toLowerCase(), value]);
  const upper = sample.headers.map(([name, value]): HeaderPair => [name.toUpperCase(), value]);
  const bare = sample.headers.filter(([name]) => /^x-core-(timestamp|signature)$/i.test(name));
  return [
    { ...sample, name: 'exactly 300 s old', now: SIGNED_AT + 300 },
    { ...sample, name: 'exactly 300 s ahead', now: SIGNED_AT - 300 },
    { ...sample, name: 'header names in lower case', headers: lower },
    { ...sample, name: 'header names in capitals', headers: upper },
    { ...sample, name: 'only the headers that the check needs', headers: bare },
  ];
}

function badOnes(sample: Good): Recording['bad'] {
  const { now, headers } = sample;
  const body = Buffer.from(sample.body, 'base64');
  const signature = valueOf(headers, 'X-Core-Signature');
  const bad = (
    reason: string,
    name: string,
    change: { now?: number; headers?: HeaderPair[]; body?: Buffer | string },
  ) => ({
    name,
    reason,
    now: change.now ?? now,
    headers: change.headers ?? headers,
    body: Buffer.from(change.body ?? body).toString('base64'),
  });
  const withHeader = (name: string, value: string): HeaderPair[] =>
    headers.map(([key, old]) => [key, key === name ? value : old]);
  const without = (name: string): HeaderPair[] => headers.filter(([key]) => key !== name);
  const signed = (name: string, content: Buffer | string) =>
    bad('bad_body', name, { body: content, headers: withHeader('X-Core-Signature', sign(SECRET, content)) });
  const timestamps = [
    '1763719200.0',
    '-1763719200',
    '+1763719200',
    '0x69203820',
    '1e9',
    '2025-11-21T10:00:00Z',
    '9'.repeat(13),
    '9'.repeat(400),
    '1763719200, 1763719200',
    'NaN',
  ];
  return [
    bad('missing_header', 'no timestamp', { headers: without('X-Core-Timestamp') }),
    bad('missing_header', 'no signature', { headers: without('X-Core-Signature') }),
    bad('missing_header', 'an empty signature', { headers: withHeader('X-Core-Signature', '') }),
    bad('missing_header', 'no headers', { headers: [] }),
    bad('duplicate_header', 'two timestamps', { headers: [...headers, ['x-core-timestamp', String(SIGNED_AT)]] }),
    bad('duplicate_header', 'two signatures, the second one good', {
      headers: [['X-CORE-SIGNATURE', 'sha256=00'], ...headers],
    }),
    bad('duplicate_header', 'two delivery ids', { headers: [...headers, ['x-core-delivery', DELIVERY.deliveryId]] }),
    ...timestamps.map((text) =>
      bad('bad_timestamp', `a timestamp of ${text.slice(0, 24)}`, { headers: withHeader('X-Core-Timestamp', text) }),
    ),
    bad('bad_signature', 'a changed byte of the body', { body: body.toString('utf8').replace('ready', 'reads') }),
    bad('bad_signature', 'a line break after the body', { body: Buffer.concat([body, Buffer.from('\n')]) }),
    bad('bad_signature', 'the body parsed and serialised again', {
      body: JSON.stringify(JSON.parse(body.toString('utf8')), null, 1),
    }),
    bad('bad_signature', 'no body', { body: '' }),
    bad('bad_signature', 'another timestamp', { headers: withHeader('X-Core-Timestamp', String(SIGNED_AT + 1)) }),
    bad('bad_signature', 'a timestamp with a leading zero', {
      headers: withHeader('X-Core-Timestamp', `0${SIGNED_AT}`),
    }),
    bad('bad_signature', 'a timestamp far in the future', { headers: withHeader('X-Core-Timestamp', '9'.repeat(12)) }),
    bad('bad_signature', 'another secret', { headers: withHeader('X-Core-Signature', sign(OTHER_SECRET, body)) }),
    bad('bad_signature', 'the secret without whsec_', {
      headers: withHeader('X-Core-Signature', sign(SECRET.replace('whsec_', ''), body)),
    }),
    bad('bad_signature', 'hex in capitals', {
      headers: withHeader('X-Core-Signature', `sha256=${signature.slice(7).toUpperCase()}`),
    }),
    bad('bad_signature', 'no sha256= prefix', { headers: withHeader('X-Core-Signature', signature.slice(7)) }),
    bad('bad_signature', 'the name of another algorithm', {
      headers: withHeader('X-Core-Signature', signature.replace('sha256', 'sha512')),
    }),
    bad('bad_signature', 'a shorter signature', { headers: withHeader('X-Core-Signature', signature.slice(0, -1)) }),
    bad('bad_signature', 'two signatures in one header', {
      headers: withHeader('X-Core-Signature', `${signature}, ${signature}`),
    }),
    bad('bad_signature', 'a signature with a character outside ASCII', {
      headers: withHeader('X-Core-Signature', `${signature.slice(0, -1)}é`),
    }),
    bad('bad_signature', 'only the Standard Webhooks signature', {
      headers: withHeader('X-Core-Signature', valueOf(headers, 'webhook-signature')),
    }),
    bad('timestamp_too_old', '301 s old', { now: SIGNED_AT + 301 }),
    bad('timestamp_too_old', 'a day old', { now: SIGNED_AT + 86_400 }),
    bad('timestamp_in_future', '301 s ahead', { now: SIGNED_AT - 301 }),
    signed('text that is not JSON', 'hello'),
    signed('nothing', ''),
    signed('null', 'null'),
    signed('a list', '[]'),
    signed('an object without fields', '{}'),
    signed('an item that is a list', JSON.stringify({ ...fieldsOf(sample), item: [] })),
    signed('a delivery id that is a number', JSON.stringify({ ...fieldsOf(sample), delivery_id: 7 })),
    signed('an item without an id', JSON.stringify({ ...fieldsOf(sample), item: { status: 'ready' } })),
    signed('a byte order mark before the JSON', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
    signed('bytes that are not UTF-8', Buffer.from(body.toString('utf8').replace(/[^ -~]/g, 'é'), 'latin1')),
    bad('header_mismatch', 'another delivery id', {
      headers: withHeader('X-Core-Delivery', '01a1fdb9-b6d9-7566-a1b3-000000000000'),
    }),
    bad('header_mismatch', 'another event', { headers: withHeader('X-Core-Event', 'item.failed') }),
  ];
}

function fieldsOf({ event }: Good): Record<string, unknown> {
  return event as Record<string, unknown>;
}

function valueOf(headers: HeaderPair[], name: string): string {
  return headers.find(([key]) => key === name)?.[1] ?? '';
}

/** Signs as the document says, without the product's code. */
function sign(secret: string, body: Buffer | string): string {
  return `sha256=${createHmac('sha256', secret).update(`${SIGNED_AT}.`).update(body).digest('hex')}`;
}
