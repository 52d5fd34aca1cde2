import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { insertConversions } from '../../../db/siteFacts/insertFacts.ts';
import { addVisitorWithVisit, HOUR } from '../../support/people/siteFacts.ts';
import { clientOf } from '../support/testApi.ts';
import { createTestGoal, createTestSite } from '../support/testSite.ts';
import { ago, iso, stageConversions } from './support/conversionStage.ts';

const stage = stageConversions();

describe('POST /conversions', () => {
  // proves: analytics-states/attribution-by-visitor
  // proves: report-dimensions/goal-sources
  it('stores a conversion with the visit it belongs to', async () => {
    const startedAt = ago(HOUR);
    const { visitorId, visitId } = await addVisitorWithVisit(stage.database.pool, stage.site.id, {
      startedAt,
      userId: 'u-1',
    });
    const occurredAt = ago(1000);
    expect(
      await stage.send({ id: 'c-1', goal: 'lead', visitor_id: visitorId, occurred_at: iso(occurredAt), value: 12.5 }),
    ).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await stage.stored()).toMatchObject({
      goal: 'lead',
      goal_source: 'api',
      visitor_id: visitorId,
      user_id: 'u-1',
      occurred_at: occurredAt,
      value: 12.5,
      attribution: 'visit',
      visit_id: visitId,
      visit_started_at: startedAt,
    });
  });

  // proves: analytics-ids/visitor_id
  it('accepts a visitor id in upper or lower case', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    expect(await stage.send({ id: 'c-1', goal: 'lead', visitor_id: visitorId.toUpperCase() })).toMatchObject({
      accepted: 1,
    });
    expect(await stage.stored()).toMatchObject({ visitor_id: visitorId });
  });

  // proves: conversion/person, analytics-states/attribution-by-user
  it("attributes by user_id to the last visit of the user's linked visitors", async () => {
    await addVisitorWithVisit(stage.database.pool, stage.site.id, { startedAt: ago(3 * HOUR), userId: 'u-1' });
    const last = await addVisitorWithVisit(stage.database.pool, stage.site.id, {
      startedAt: ago(2 * HOUR),
      userId: 'u-1',
    });
    await addVisitorWithVisit(stage.database.pool, stage.site.id, { startedAt: ago(HOUR), userId: 'u-2' });
    expect(await stage.send({ id: 'c-1', goal: 'lead', user_id: 'u-1' })).toMatchObject({ accepted: 1 });
    expect(await stage.stored()).toMatchObject({ user_id: 'u-1', visitor_id: last.visitorId, visit_id: last.visitId });
  });

  // proves: conversion/person, decisions-facts/visitor-wins
  it('prefers visitor_id to user_id', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(stage.database.pool, stage.site.id, {
      startedAt: ago(3 * HOUR),
    });
    await addVisitorWithVisit(stage.database.pool, stage.site.id, { startedAt: ago(HOUR), userId: 'u-1' });
    await stage.send({ id: 'c-1', goal: 'lead', visitor_id: visitorId, user_id: 'u-1' });
    expect(await stage.stored()).toMatchObject({ visitor_id: visitorId, visit_id: visitId, user_id: null });
    expect((await stage.send({ id: 'c-2', goal: 'lead', visitor_id: randomUUID(), user_id: 'u-1' })).rejected).toEqual([
      { index: 0, code: 'unknown_visitor' },
    ]);
  });

  // proves: conversion/occurred_at
  it('uses the time of receipt when no time is sent or it is in the future', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    await stage.send(
      { id: 'c-1', goal: 'lead', visitor_id: visitorId },
      { id: 'c-2', goal: 'lead', visitor_id: visitorId, occurred_at: '2999-01-01T00:00:00Z' },
      { id: 'c-3', goal: 'lead', visitor_id: visitorId, occurred_at: iso(ago(-60_000)) },
    );
    for (const id of ['c-1', 'c-2', 'c-3']) {
      const row = await stage.stored(id);
      expect(row?.['occurred_at']).toEqual(row?.['received_at']);
    }
  });

  // proves: analytics/7
  it('reads timestamps with Z and with an offset, in seconds and finer', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id, {
      startedAt: new Date('2026-11-20T08:00:00Z'),
    });
    const times = ['2026-11-20T09:00:00Z', '2026-11-20T12:00:00+03:00', '2026-11-20T09:00:00.000Z'];
    await stage.send(
      ...times.map((occurred, index) => ({
        id: `c-${index}`,
        goal: 'lead',
        visitor_id: visitorId,
        occurred_at: occurred,
      })),
    );
    for (const index of times.keys())
      expect(await stage.stored(`c-${index}`)).toMatchObject({ occurred_at: new Date('2026-11-20T09:00:00Z') });
  });

  // proves: conversion/value
  it('uses the amount of the goal when none is sent', async () => {
    await createTestGoal(stage.database.pool, stage.site.id, 'paid', 100);
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    await stage.send(
      { id: 'c-1', goal: 'paid', visitor_id: visitorId },
      { id: 'c-2', goal: 'paid', visitor_id: visitorId, value: 0 },
      { id: 'c-3', goal: 'lead', visitor_id: visitorId },
    );
    expect([
      (await stage.stored('c-1'))?.['value'],
      (await stage.stored('c-2'))?.['value'],
      (await stage.stored('c-3'))?.['value'],
    ]).toEqual([100, 0, null]);
  });

  it('accepts an empty batch', async () => {
    expect(await stage.send()).toEqual({ accepted: 0, duplicates: 0, rejected: [] });
  });

  // proves: analytics-endpoints/conversions, analytics-limits/conversions
  it('accepts a thousand conversions in one request', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    expect(
      await stage.send(
        ...Array.from({ length: 1000 }, (_, index) => ({ id: `c-${index}`, goal: 'lead', visitor_id: visitorId })),
      ),
    ).toEqual({ accepted: 1000, duplicates: 0, rejected: [] });
  });
});

describe('a repeated conversion', () => {
  // proves: analytics-errors/retry-3, conversion/id, analytics-states/conversion-repeated
  it('is a duplicate and changes nothing, whatever it contains', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    await stage.send({ id: 'c-1', goal: 'lead', visitor_id: visitorId, value: 1 });
    expect(await stage.send({ id: 'c-1', goal: 'lead', visitor_id: visitorId, value: 2 })).toEqual({
      accepted: 0,
      duplicates: 1,
      rejected: [],
    });
    expect(await stage.send({ id: 'c-1', goal: 'gone', visitor_id: randomUUID() })).toEqual({
      accepted: 0,
      duplicates: 1,
      rejected: [],
    });
    expect(await stage.stored()).toMatchObject({ value: 1 });
  });

  // proves: batch-response/duplicates
  it('within a batch counts once, with its first version; a rejected one leaves its id free', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    const good = { id: 'c-1', goal: 'lead', visitor_id: visitorId };
    expect(
      await stage.send(
        { ...good, goal: 'gone' },
        { ...good, value: 1 },
        { ...good, value: 2 },
        { ...good, goal: 'gone' },
      ),
    ).toEqual({ accepted: 1, duplicates: 2, rejected: [{ index: 0, code: 'unknown_goal' }] });
    expect(await stage.stored()).toMatchObject({ value: 1 });
  });

  // proves: conversion/id
  it('with an e-mail address in its id is a duplicate of itself only, and the address is not stored', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    const sent = ['anna@example.ru', 'boris@example.ru', 'anna@example.ru'].map((id) => ({
      id,
      goal: 'lead',
      visitor_id: visitorId,
    }));
    expect(await stage.send(...sent)).toEqual({ accepted: 2, duplicates: 1, rejected: [] });
    expect(await stage.send(...sent)).toEqual({ accepted: 0, duplicates: 3, rejected: [] });
    for (const { id } of sent) expect(await stage.stored(id)).toBeUndefined();
  });

  // proves: analytics-errors/retry-3
  it('in simultaneous requests counts once', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    const conversions = Array.from({ length: 200 }, (_, index) => ({
      id: `c-${index}`,
      goal: 'lead',
      visitor_id: visitorId,
    }));
    const outcomes = await Promise.all(
      [conversions, conversions.toReversed(), conversions, conversions.toReversed()].map((batch) =>
        stage.send(...batch),
      ),
    );
    expect(outcomes.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(200);
    expect(outcomes.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(600);
  });

  // proves: analytics-auth/5, conversion/id
  it('from another site or from the tag is a different conversion', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    const occurredAt = new Date();
    await insertConversions(stage.database.pool, [
      {
        siteId: stage.site.id,
        origin: 'tag',
        id: 'c-1',
        goal: 'lead',
        goalSource: 'tag',
        visitorId,
        userId: null,
        occurredAt,
        receivedAt: occurredAt,
        value: null,
        weight: 1,
        attribution: { state: 'none' },
      },
    ]);
    expect(await stage.send({ id: 'c-1', goal: 'lead', visitor_id: visitorId })).toMatchObject({ accepted: 1 });
    const other = await createTestSite(stage.database.pool);
    await createTestGoal(stage.database.pool, other.id, 'lead');
    const { visitorId: stranger } = await addVisitorWithVisit(stage.database.pool, other.id);
    const { body } = await clientOf(stage.api.analytics, other.key)('POST', '/conversions', {
      conversions: [{ id: 'c-1', goal: 'lead', visitor_id: stranger }],
    });
    expect(body).toMatchObject({ accepted: 1 });
  });
});
