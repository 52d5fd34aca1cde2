/**
 * Lives of a site's visitors: hits through /collect, then the conversions, orders and refunds that the site's server
 * reports.
 */
import type { Scenario, ScenarioDeps } from './scenarios.ts';
import type { Random } from '../../load/random.ts';

/** The goal that the stage creates. */
export const CHAOS_GOAL = 'lead';

interface CollectAnswer {
  accepted: number;
  dropped: { index: number; code: string }[];
}

interface BatchAnswer {
  accepted: number;
  duplicates: number;
  rejected: { index: number; code: string }[];
}

/** Far enough back that the visit is already over when it is ingested, so that it goes to the lake. */
const VISIT_BACK_MS = 2 * 3_600_000;
const SHOP = 'https://shop.test';
const RESENT_PERCENT = 20;
const PURCHASE_PERCENT = 40;
const REFUNDED_PERCENT = 30;

export function createVisitorScenario(deps: ScenarioDeps): Scenario {
  const { expected } = deps;
  return async (n, random) => {
    const visitorId = uuid(random);
    const startedAt = Date.now() - VISIT_BACK_MS;
    const hits = 1 + random.below(5);
    const hasPurchase = random.percent(PURCHASE_PERCENT);
    const at = (index: number): string => new Date(startedAt + index * 1000).toISOString();
    const events: object[] = Array.from({ length: hits }, (_, index) => ({
      id: `h-${n}-${index}`,
      at: at(index),
      type: 'pageview',
      url: `${SHOP}/${random.below(50)}`,
    }));
    const bought = { transaction_id: `tag-${n}`, revenue: 100 + n };
    if (hasPurchase)
      events.push({ id: `h-${n}-order`, at: at(hits), type: 'purchase', url: `${SHOP}/thanks`, order: bought });
    await collect(deps, visitorId, events, true);
    if (random.percent(RESENT_PERCENT)) await collect(deps, visitorId, events, false);
    expected.visitors.set(visitorId, { hits: events.length });
    const conversion = { id: `c-${n}`, goal: CHAOS_GOAL, visitor_id: visitorId, value: n };
    const order = {
      transaction_id: `api-${n}`,
      visitor_id: visitorId,
      revenue: 200 + n,
      products: [{ id: `p-${n}`, price: 10, qty: 2 }, { name: 'Cup' }],
    };
    const isRefunded = random.percent(REFUNDED_PERCENT);
    await report(deps, '/conversions', [
      { body: conversion },
      { body: { ...conversion, id: `bad-${n}`, goal: 'no-such-goal' }, rejected: 'unknown_goal' },
      { body: { ...conversion, id: `bad-${n}`, visitor_id: uuid(random) }, rejected: 'unknown_visitor' },
    ]);
    await report(deps, '/orders', [
      { body: order },
      { body: { ...order, transaction_id: `bad-${n}`, products: [{}] }, rejected: 'invalid_products' },
      // The tag's purchase may have been ingested by now; then this one is a duplicate.
      ...(hasPurchase ? [{ body: { ...bought, visitor_id: visitorId }, isUnsure: true }] : []),
      ...(isRefunded ? [{ body: { transaction_id: `api-${n}`, visitor_id: visitorId, status: 'refunded' } }] : []),
    ]);
    expected.conversions.set(conversion.id, { visitorId, value: n });
    expected.siteOrders.set(`${order.transaction_id} purchased`, { visitorId, revenue: order.revenue });
    if (hasPurchase)
      expected.siteOrders.set(`${bought.transaction_id} purchased`, { visitorId, revenue: bought.revenue });
    if (isRefunded) expected.siteOrders.set(`${order.transaction_id} refunded`, { visitorId, revenue: order.revenue });
  };
}

/** @param isNew true when none of it can have been stored before */
async function collect(
  { sender, site, expected }: ScenarioDeps,
  visitorId: string,
  events: object[],
  isNew: boolean,
): Promise<void> {
  const body = { key: site.tagKey, visitor_id: visitorId, sent_at: new Date().toISOString(), events };
  const { body: answer, isClean } = await sender.write<CollectAnswer>(
    { url: site.origin, key: site.key },
    { method: 'POST', path: '/collect', body },
  );
  // After an attempt without a response, all of it may be stored already.
  const addsUp =
    answer.accepted + answer.dropped.length === events.length &&
    answer.dropped.every(({ code }) => code === 'duplicate');
  const isRight = isNew ? !isClean || answer.dropped.length === 0 : answer.accepted === 0;
  if (!addsUp || !isRight)
    expected.complaints.push(
      `hits of ${visitorId}: ${answer.accepted} taken of ${events.length}, dropped ${JSON.stringify(answer.dropped)}`,
    );
}

/** Sends a batch twice: everything that is not to be rejected counts the first time. */
async function report(
  { sender, site, expected }: ScenarioDeps,
  path: string,
  records: { body: object; rejected?: string; isUnsure?: boolean }[],
): Promise<void> {
  const list = path.slice(1);
  const post = () =>
    sender.write<BatchAnswer>(
      { url: site.url, key: site.key },
      { method: 'POST', path, body: { [list]: records.map(({ body }) => body) } },
    );
  const wanted = JSON.stringify(
    records.flatMap(({ rejected }, index) => (rejected === undefined ? [] : [{ index, code: rejected }])),
  );
  const fresh = records.filter(({ rejected, isUnsure }) => rejected === undefined && !isUnsure).length;
  const first = await post();
  const again = await post();
  for (const { body } of [first, again]) {
    const addsUp = body.accepted + body.duplicates + body.rejected.length === records.length;
    if (!addsUp || JSON.stringify(body.rejected) !== wanted)
      expected.complaints.push(`${path} answered ${JSON.stringify(body)}, expected ${wanted}`);
  }
  if (first.isClean && first.body.accepted < fresh)
    expected.complaints.push(`${path} took ${first.body.accepted} of ${fresh} new records`);
  if (again.body.accepted !== 0) expected.complaints.push(`${path} took ${again.body.accepted} records a second time`);
}

/** Returns a UUID of version 4 from the load's own random numbers. */
function uuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
