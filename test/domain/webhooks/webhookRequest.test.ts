import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  SUBSCRIBABLE_EVENTS,
  TEST_EVENT,
  requestBody,
  signedRequest,
  userAgentOf,
  type DeliveryContent,
  type WebhookItem,
} from '../../../domain/webhooks/webhookRequest.ts';
import { TEST_ITEM } from '../../../domain/webhooks/testItem.ts';
import { addressHealth, tallySign } from '../../../domain/webhooks/breaker.ts';
import { CHAPTERS } from '../../conformance/rules/index.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8G';
const STARTED_AT = new Date('2026-11-21T10:00:00.999Z');
const DELIVERY_ID = '01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c';

function content(item: WebhookItem = { ...TEST_ITEM, id: 'видео-1' }): DeliveryContent {
  return { projectId: 'abc123def456', deliveryId: DELIVERY_ID, event: 'item.processed', item };
}

describe('the events', () => {
  const EVENTS = [...SUBSCRIBABLE_EVENTS, TEST_EVENT];

  it.each(['docs/webhooks.md', 'clients/webhooks-typescript/README.md', 'clients/webhooks-python/README.md'])(
    'are all named in %s',
    (file) => {
      const text = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
      expect(EVENTS.filter((event) => !text.includes(`\`${event}\``))).toEqual([]);
    },
  );

  it('have rules (webhook-kinds in test/conformance/rules/content.ts)', () => {
    const rules = CHAPTERS.find(({ id }) => id === 'webhook-kinds')?.rules ?? [];
    expect(rules.map(({ name }) => name)).toEqual(expect.arrayContaining(EVENTS));
  });
});

describe('requestBody', () => {
  // proves: webhook-request/event, webhook-request/project_id
  it('has the documented fields in the documented order, without a summary when there is none', () => {
    expect(requestBody(content(), STARTED_AT)).toBe(
      '{"event":"item.processed","project_id":"abc123def456","sent_at":"2026-11-21T10:00:00.999Z",' +
        `"delivery_id":"${DELIVERY_ID}","item":{"id":"видео-1","status":"ready",` +
        '"processing":{"prepare":"done","speech":"done","vision":"done","summary":"done","embedding":"done"}}}',
    );
  });

  // proves: webhook-request/item
  it('has the moderation after the processing, or after the summary if there is one', () => {
    const moderation = { level: 'high' };
    const item = { ...TEST_ITEM, status: 'partial' as const, moderation };
    expect(requestBody(content(item), STARTED_AT)).toMatch(/"embedding":"done"\},"moderation":\{"level":"high"\}\}\}$/);
    const summary = { summary: 's', topics: [], tags: [], age_rating: null, moderation };
    expect(requestBody(content({ ...item, summary }), STARTED_AT)).toMatch(
      /"moderation":\{"level":"high"\}\},"moderation":\{"level":"high"\}\}\}$/,
    );
  });

  it('is the same whatever order the database returns the keys in', () => {
    const summary = { summary: 's', topics: ['t'], tags: [], age_rating: null, moderation: { level: 'none' } };
    const shuffled = { moderation: { level: 'none' }, tags: [], age_rating: null, topics: ['t'], summary: 's' };
    const { prepare, speech, vision, summary: step, embedding } = TEST_ITEM.processing;
    const given = { ...TEST_ITEM, summary };
    const stored = {
      summary: shuffled,
      id: given.id,
      processing: { embedding, summary: step, vision, speech, prepare },
      status: given.status,
    };
    expect(requestBody(content(stored), STARTED_AT)).toBe(requestBody(content(given), STARTED_AT));
  });
});

describe('signedRequest', () => {
  const { headers, body } = signedRequest(content(), SECRET, STARTED_AT, userAgentOf('https://attune.example'));

  // proves: webhook-signature/2, webhook-signature/3, webhook-signature/4, auth/5
  it('signs timestamp, dot and body with the whole secret', () => {
    const hex = createHmac('sha256', SECRET)
      .update(Buffer.from(`1795255200.${body}`))
      .digest('hex');
    expect(headers['X-Core-Timestamp']).toBe('1795255200');
    expect(headers['X-Core-Signature']).toBe(`sha256=${hex}`);
  });

  // proves: decisions-guard/standard
  it('is a Standard Webhooks request too', () => {
    const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8G', 'base64');
    const mac = createHmac('sha256', key).update(`${DELIVERY_ID}.1795255200.${body}`).digest('base64');
    expect(headers).toMatchObject({
      'webhook-id': DELIVERY_ID,
      'webhook-timestamp': '1795255200',
      'webhook-signature': `v1,${mac}`,
    });
  });
});

describe('addressHealth', () => {
  // proves: decisions-breaker/kinds, decisions-breaker/others
  it.each([
    [null, 204, 'up'],
    ['timeout', null, 'down'],
    ['connection', null, 'down'],
    ['tls', null, 'down'],
    ['dns', null, 'down'],
    ['http_status', 500, 'down'],
    ['http_status', 599, 'down'],
    ['http_status', 499, 'neither'],
    ['redirect', 302, 'neither'],
    ['forbidden_address', null, 'neither'],
  ] as const)('%s %s: %s', (code, status, sign) => expect(addressHealth(code, status)).toBe(sign));

  it('counts the signs of failure after the last 2xx', () => {
    const signs = ['down', 'up', 'down', 'neither', 'down'] as const;
    expect(signs.reduce(tallySign, { up: false, down: 0 })).toEqual({ up: true, down: 2 });
  });
});
