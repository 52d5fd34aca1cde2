/** The rules in the webhook pages, checked against the domain's. */
import { describe, expect, it } from '@jest/globals';
import { daySteps, hourSteps, isByDay, totalsOf } from '../../../cabinet/src/pages/content/webhook/hourTotals.ts';
import {
  upcomingAttempts,
  RETRY_DELAYS_MS,
} from '../../../cabinet/src/pages/content/webhookDelivery/upcomingAttempts.ts';
import {
  checkSignature,
  type ReceivedRequest,
} from '../../../cabinet/src/pages/content/signature/signatureMistakes.ts';
import { newKey } from '../../../domain/accounts/keyFormats.ts';
import { TEST_ITEM } from '../../../domain/webhooks/testItem.ts';
import { signedRequest, type WebhookItem } from '../../../domain/webhooks/webhookRequest.ts';
import * as schedule from '../../../domain/webhooks/retrySchedule.ts';

const STARTED = new Date('2026-11-21T10:00:00.999Z');
const DELIVERY = '01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c';
const secret = newKey('webhook');
const content = { projectId: 'abc123def456', deliveryId: DELIVERY, event: 'item.processed' as const };
const moderation = { level: 'none' };
const summary = { summary: 'О чём это', topics: ['a'], tags: ['b'], age_rating: '6+', moderation };
/** Has every field that a body may have: the check of a signature has to know their order. */
const item: Required<WebhookItem> = { ...TEST_ITEM, id: 'lesson-42', summary, moderation };
const request = signedRequest({ ...content, item }, secret, STARTED, 'Attune/1.0');
const headerLines = (names: (name: string) => boolean = () => true): string =>
  Object.entries(request.headers)
    .filter(([name]) => names(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const received = (changes: Partial<ReceivedRequest> = {}): ReceivedRequest => ({
  secret,
  headers: headerLines(),
  body: request.body,
  ...changes,
});
const findings = async (changes: Partial<ReceivedRequest>, now = STARTED.getTime()): Promise<string[]> =>
  (await checkSignature(received(changes), now)).findings;
const sortedKeys = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortedKeys(inner)]),
  );
};

describe('the signature check', () => {
  it.each<[string, Partial<ReceivedRequest>]>([
    ['with all headers', {}],
    ['with those of Standard Webhooks alone', { headers: headerLines((name) => name.startsWith('webhook-')) }],
    ['with names in small letters', { headers: headerLines().replaceAll('X-Core', 'x-core') }],
    ['with headers as JSON', { headers: JSON.stringify(request.headers, null, 2) }],
  ])('accepts a valid one, %s', async (_what, changes) => {
    expect(await checkSignature(received(changes), STARTED.getTime())).toEqual({ isRight: true, findings: ['right'] });
  });

  it.each<[string, Partial<ReceivedRequest>]>([
    ['secret_prefix', { secret: secret.slice('whsec_'.length) }],
    ['secret_spaces', { secret: `${secret}\n` }],
    ['secret_form', { secret: 'swordfish' }],
    ['wrong_secret', { secret: newKey('webhook') }],
    ['body_spaces', { body: `${request.body}\n` }],
    ['body_rewritten', { body: JSON.stringify(JSON.parse(request.body), null, 2) }],
    ['body_rewritten', { body: JSON.stringify(sortedKeys(JSON.parse(request.body))) }],
    [
      'body_rewritten',
      { body: request.body.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) },
    ],
    ['wrong_secret', { body: request.body.replace('lesson-42', 'lesson-43') }],
    ['other_delivery', { body: request.body.replace(DELIVERY, DELIVERY.replace('01a1', '01a2')) }],
    ['other_attempt', { body: request.body.replace('10:00:00', '10:01:00') }],
    ['no_signature', { headers: 'X-Core-Timestamp: 1' }],
    ['no_timestamp', { headers: 'X-Core-Signature: sha256=00' }],
  ])('finds %s', async (finding, changes) => {
    expect(await checkSignature(received(changes), STARTED.getTime())).toEqual({ isRight: false, findings: [finding] });
  });

  it('reports a stale time along with other findings', async () => {
    const later = STARTED.getTime() + 302_000;
    expect(await findings({}, later)).toEqual(['stale']);
    expect(await findings({ secret: secret.slice('whsec_'.length) }, later)).toEqual(['secret_prefix', 'stale']);
    expect(await findings({}, STARTED.getTime() + 299_000)).toEqual(['right']);
  });
});

describe('the upcoming attempts', () => {
  const NEXT = '2026-11-21T10:05:00.000Z';
  const waiting = { event: 'item.processed', status: 'pending', schedule_start: 0, next_attempt_at: NEXT } as const;

  it('follow the schedule of the domain', () => {
    expect(RETRY_DELAYS_MS).toEqual(schedule.RETRY_DELAYS_MS);
    for (let attempt = 0; attempt < schedule.MAX_ATTEMPTS; attempt++) {
      const coming = upcomingAttempts({ ...waiting, attempt });
      expect(coming.map(({ number }) => number)).toEqual(
        Array.from({ length: schedule.MAX_ATTEMPTS - attempt }, (_, index) => attempt + 1 + index),
      );
      for (const { number, afterMs } of coming.slice(1)) expect(afterMs).toBe(schedule.retryDelayMs(number - 1));
    }
    expect(upcomingAttempts({ ...waiting, attempt: 5 }).map(({ at }) => at && new Date(at).toISOString())).toEqual([
      NEXT,
      '2026-11-21T22:05:00.000Z',
    ]);
  });

  it('start again after a recovery', () => {
    const { MAX_ATTEMPTS: all } = schedule;
    expect(upcomingAttempts({ ...waiting, attempt: all, schedule_start: all })).toHaveLength(all);
    expect(upcomingAttempts({ ...waiting, attempt: all + 1, schedule_start: all })).toHaveLength(all - 1);
  });

  it('are one for a test delivery, one for a resend after the whole schedule, and none after success', () => {
    expect(upcomingAttempts({ ...waiting, event: 'webhook.test', attempt: 0, next_attempt_at: null })).toHaveLength(1);
    expect(upcomingAttempts({ ...waiting, attempt: 9, next_attempt_at: null })).toMatchObject([
      { number: 10, at: null },
    ]);
    expect(upcomingAttempts({ ...waiting, status: 'delivered', attempt: 1 })).toEqual([]);
  });
});

describe('the hours of a webhook', () => {
  const hour = (attempts: number, failed: number, backlog = 0) => ({
    hour: STARTED.toISOString(),
    attempts,
    failed,
    p95_ms: attempts > 0 ? 84 : null,
    backlog,
  });
  const nothing = { events: 0, since: null };

  it('are added up', () => {
    expect(totalsOf({ hours: [hour(3, 1), hour(0, 0), hour(2, 2)], backlog: nothing })).toEqual({
      attempts: 5,
      failed: 3,
      isQuiet: false,
    });
  });

  it.each([
    ['an attempt', { hours: [hour(1, 0)], backlog: nothing }],
    ['an event that waited', { hours: [hour(0, 0, 1)], backlog: nothing }],
    ['an event that waits', { hours: [hour(0, 0)], backlog: { events: 1, since: STARTED.toISOString() } }],
  ])('are drawn because of %s', (_what, statistics) => {
    expect(totalsOf(statistics).isQuiet).toBe(false);
  });

  it('are drawn hour by hour for a week, and day by day for longer, with the worst hour of each day', () => {
    const at = (iso: string, ...of: Parameters<typeof hour>) => ({ ...hour(...of), hour: iso });
    const hours = [at('2026-11-20T22:00:00Z', 0, 0), at('2026-11-20T23:00:00Z', 2, 1, 4)];
    expect(isByDay(Array.from({ length: 168 }, () => hour(1, 0)))).toBe(false);
    expect(isByDay(Array.from({ length: 169 }, () => hour(1, 0)))).toBe(true);
    expect(hourSteps(hours)[1]).toEqual({ at: '2026-11-20T23:00:00Z', attempts: 2, failed: 1, p95_ms: 84, backlog: 4 });
    expect(daySteps([...hours, at('2026-11-21T00:00:00Z', 0, 0)], (iso) => iso.slice(0, 10))).toEqual([
      { at: '2026-11-20', attempts: 2, failed: 1, p95_ms: 84, backlog: 4 },
      { at: '2026-11-21', attempts: 0, failed: 0, p95_ms: null, backlog: 0 },
    ]);
  });

  it('are not drawn if nothing happened', () => {
    expect(totalsOf({ hours: [hour(0, 0)], backlog: nothing }).isQuiet).toBe(true);
  });
});
