import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  readRawBody,
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHeaders,
} from '../../../clients/webhooks-typescript/src/index.ts';
import { ITEM_STATUSES, type Step } from '../../../domain/analysis/steps.ts';
import { announcedEvent } from '../../../domain/webhooks/announcedEvent.ts';
import type { WebhookEvent as SentEvent, WebhookItem as SentItem } from '../../../domain/webhooks/webhookRequest.ts';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';
import { record, type RecordedRequest, type Recording } from './recording.ts';

const recording = JSON.parse(await readFile(join(import.meta.dirname, 'requests.json'), 'utf8')) as Recording;
const { secret, good, bad } = recording;
const OTHER_SECRET = `whsec_${'Q'.repeat(40)}`;

const bodyOf = (request: RecordedRequest): Buffer => Buffer.from(request.body, 'base64');
const at = (seconds: number): VerifyOptions => ({ now: new Date(seconds * 1000) });
const check = (request: RecordedRequest, headers: WebhookHeaders = request.headers, by: string | string[] = secret) =>
  verifyWebhook(bodyOf(request), headers, by, at(request.now));

/** Returns the first of the requests, which has no summary. */
function anyGood(): Recording['good'][number] {
  const [first] = good;
  if (first === undefined) throw new Error('nothing is recorded');
  return first;
}

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  return 'genuine';
}

afterAll(cleanUp);

describe('the recording (run `node test/clients/webhooks/record.ts` when this fails)', () => {
  it('matches what the sender sends', async () => {
    expect(await record()).toEqual(recording);
  });

  it('carries the Standard Webhooks signature of its body in every request', () => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    for (const request of good.slice(0, 5)) {
      const {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      } = Object.fromEntries(request.headers);
      const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bodyOf(request)).digest('base64');
      expect(signature).toBe(`v1,${mac}`);
    }
  });
});

describe('verifyWebhook', () => {
  // proves: webhook-signature/4, webhook-signature/5
  it.each(good.map((request) => [request.name, request] as const))('accepts %s', (_name, request) => {
    expect(check(request)).toEqual(request.event);
  });

  // proves: webhook-signature/1, webhook-signature/2, webhook-signature/3, webhook-signature/4, webhook-signature/5
  it.each(bad.map((request) => [request.reason, request.name, request] as const))(
    'refuses with %s: %s',
    (reason, _name, request) => {
      expect(reasonOf(() => check(request))).toBe(reason);
    },
  );

  it('is tested with a request for each reason', () => {
    expect([...new Set(bad.map(({ reason }) => reason))].sort()).toEqual([
      'bad_body',
      'bad_signature',
      'bad_timestamp',
      'duplicate_header',
      'header_mismatch',
      'missing_header',
      'timestamp_in_future',
      'timestamp_too_old',
    ]);
  });

  it('reads headers in the forms of Node, fetch, a Map, a list and an iterator', () => {
    const request = anyGood();
    const lower = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
    const forms: WebhookHeaders[] = [
      Object.fromEntries(lower),
      Object.fromEntries(request.headers),
      new Headers(request.headers),
      new Map(request.headers),
      request.headers,
      request.headers.values(),
      { ...Object.fromEntries(lower), 'set-cookie': ['a', 'b'], accept: undefined },
      { ...Object.fromEntries(lower), 'x-core-timestamp': ['1763719200'] },
    ];
    for (const headers of forms)
      expect(check(request, headers).delivery_id).toBe('01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c');
    const twice = { ...Object.fromEntries(lower), 'x-core-timestamp': ['1763719200', '1763719200'] };
    expect(reasonOf(() => check(request, twice))).toBe('duplicate_header');
  });

  it('accepts any of several secrets', () => {
    expect(check(anyGood(), undefined, [OTHER_SECRET, secret])).toEqual(anyGood().event);
    expect(check(anyGood(), undefined, [secret, OTHER_SECRET])).toEqual(anyGood().event);
    expect(reasonOf(() => check(anyGood(), undefined, [OTHER_SECRET]))).toBe('bad_signature');
  });

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['an empty list', []],
    ['one without whsec_', secret.slice(6)],
    ['one with a line end', `${secret}\n`],
    ['an empty one among good ones', [secret, '']],
  ])('reports a malformed secret to the caller: %s', (_what, wrong) => {
    const work = () => verifyWebhook(bodyOf(anyGood()), anyGood().headers, wrong as string, at(anyGood().now));
    expect(work).toThrow(TypeError);
    expect(work).toThrow('whsec_');
  });

  it.each([
    ['text', (body: Buffer) => body.toString('utf8')],
    ['parsed JSON', (body: Buffer) => JSON.parse(body.toString('utf8')) as object],
    ['nothing', () => undefined],
  ])('reports to the caller a body that is %s', (_what, spoil) => {
    const request = anyGood();
    expect(() => verifyWebhook(spoil(bodyOf(request)) as Buffer, request.headers, secret, at(request.now))).toThrow(
      'raw bytes',
    );
  });

  it('accepts a Uint8Array like a Buffer', () => {
    expect(verifyWebhook(new Uint8Array(bodyOf(anyGood())), anyGood().headers, secret, at(anyGood().now))).toEqual(
      anyGood().event,
    );
  });

  it('judges the age by the clock of the machine, with another tolerance on request', () => {
    const request = anyGood();
    expect(reasonOf(() => verifyWebhook(bodyOf(request), request.headers, secret))).toBe('timestamp_too_old');
    const older = { ...at(request.now + 1000), toleranceSeconds: 1000 };
    expect(verifyWebhook(bodyOf(request), request.headers, secret, older)).toEqual(request.event);
    expect(
      reasonOf(() => verifyWebhook(bodyOf(request), request.headers, secret, { ...older, toleranceSeconds: 999 })),
    ).toBe('timestamp_too_old');
    expect(() => verifyWebhook(bodyOf(request), request.headers, secret, { now: new Date('x') })).toThrow(TypeError);
  });

  it.each([Number.NaN, Infinity, -Infinity, -1])('rejects a tolerance of %p', (toleranceSeconds) => {
    const request = anyGood();
    expect(() =>
      verifyWebhook(bodyOf(request), request.headers, secret, { ...at(request.now), toleranceSeconds }),
    ).toThrow(TypeError);
  });

  it('puts no secret or signature into its error', () => {
    for (const request of bad) {
      const error = ((): unknown => {
        try {
          return check(request);
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(String(error)).not.toMatch(/whsec_|[0-9a-f]{32}/);
    }
  });
});

describe('WebhookEvent', () => {
  /** A type error here means that the package lacks an event of the service: add it to src/event.ts and index.ts. */
  const EVENTS = {
    'item.processed': true,
    'item.failed': true,
    'webhook.test': true,
  } satisfies Record<SentEvent, true> satisfies Record<WebhookEvent['event'], true>;

  /** The same for a step: add it to `processing` in src/event.ts. */
  const STEPS = {
    prepare: true,
    speech: true,
    vision: true,
    summary: true,
    embedding: true,
  } satisfies Record<Step, true> satisfies Record<keyof WebhookEvent['item']['processing'], true>;

  /** The same for a field of the item: add it to `WebhookItem` in src/event.ts. */
  const FIELDS = {
    id: true,
    status: true,
    processing: true,
    summary: true,
    moderation: true,
  } satisfies Record<keyof SentItem, true> satisfies Record<keyof WebhookEvent['item'], true>;

  it('has every field of the recorded items', () => {
    const sent = good.flatMap((request) => Object.keys(check(request).item));
    expect(Object.keys(FIELDS)).toEqual(expect.arrayContaining(sent));
  });

  it('has the steps of the recorded bodies', () => {
    for (const request of good) expect(Object.keys(check(request).item.processing)).toEqual(Object.keys(STEPS));
  });

  /** The same for the statuses of each event: add one to its `Envelope` in src/event.ts. */
  const STATUSES = {
    'item.processed': ['ready'],
    'item.failed': ['partial', 'failed'],
    'webhook.test': ['ready'],
  } satisfies { [Event in WebhookEvent as Event['event']]: Event['item']['status'][] };

  it('has the statuses that the service announces, each with its event', () => {
    const missing = ITEM_STATUSES.filter((status) => {
      const event = announcedEvent({ status: status === 'queued' ? 'ready' : 'queued', origin: 'api' }, status);
      return event !== null && !STATUSES[event].some((known) => known === status);
    });
    expect(missing).toEqual([]);
  });

  it('is recorded for every event (CONTENTS in recording.ts)', () => {
    expect([...new Set(good.map((request) => check(request).event))].sort()).toEqual(Object.keys(EVENTS).sort());
  });

  /** Compiles only while `event` distinguishes them and there are no others. */
  function tell(event: WebhookEvent): string {
    switch (event.event) {
      case 'item.processed':
        return event.item.status satisfies 'ready';
      case 'item.failed':
        return event.item.status satisfies 'partial' | 'failed';
      case 'webhook.test':
        return event.item.id;
      default:
        return event satisfies never;
    }
  }

  it('is narrowed by its name, in types too', () => {
    expect(good.slice(0, 5).map((request) => tell(check(request)))).toEqual([
      'ready',
      'ready',
      'partial',
      'failed',
      'webhook-test',
    ]);
  });
});

describe('readRawBody', () => {
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'read',
      (error: unknown) => error,
    );

  it('returns the bytes of a stream that has not been read', async () => {
    const body = bodyOf(anyGood());
    expect(Buffer.from(await readRawBody(Readable.from([body.subarray(0, 7), body.subarray(7)]))).equals(body)).toBe(
      true,
    );
    expect(await readRawBody(Readable.from([]))).toHaveLength(0);
    const { body: stream } = new Request('https://receiver.test/', { method: 'POST', body });
    if (stream === null) throw new Error('no body');
    expect(Buffer.from(await readRawBody(stream)).equals(body)).toBe(true);
  });

  it('stops at its limit', async () => {
    let given = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc((given += 1) && 1000);
      })(),
    );
    expect(await failure(readRawBody(endless, 10_000))).toMatchObject({
      name: 'WebhookVerificationError',
      reason: 'body_too_large',
    });
    expect(given).toBeLessThan(100);
    expect(endless.destroyed).toBe(true);
  });

  it('refuses text, whose bytes are lost', async () => {
    expect(
      await failure(readRawBody(Readable.from([anyGood().body]) as unknown as AsyncIterable<Uint8Array>)),
    ).toBeInstanceOf(TypeError);
  });
});
