import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { putGoal } from '../../../db/sites/goals.ts';
import { addToInbox, addVisitor, addVisitorWithVisit, DAY } from '../../support/people/siteFacts.ts';
import { createTestGoal, createTestSite } from '../support/testSite.ts';
import { ago, iso, stageConversions } from './support/conversionStage.ts';

const stage = stageConversions();

describe('a conversion is rejected', () => {
  // proves: conversion/goal, analytics-rules/1-unknown_goal
  it('as unknown_goal if its goal does not exist, is not of the type js, is not enabled or is malformed', async () => {
    await putGoal(stage.database.pool, stage.site.id, {
      code: 'bought',
      title: 'Bought',
      type: 'purchase',
      match: null,
      value: null,
      enabled: true,
    });
    await putGoal(stage.database.pool, stage.site.id, {
      code: 'off',
      title: 'Off',
      type: 'js',
      match: null,
      value: null,
      enabled: false,
    });
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    const { rejected } = await stage.send(
      ...['none', 'bought', 'off', 'LEAD', ''].map((goal, index) => ({
        id: `c-${index}`,
        goal,
        visitor_id: visitorId,
      })),
    );
    expect(rejected).toEqual([0, 1, 2, 3, 4].map((index) => ({ index, code: 'unknown_goal' })));
  });

  // proves: analytics-rules/1-unknown_goal
  it('as unknown_goal only until the goal exists', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    expect((await stage.send({ id: 'c-1', goal: 'late', visitor_id: visitorId })).rejected).toHaveLength(1);
    await createTestGoal(stage.database.pool, stage.site.id, 'late');
    expect(await stage.send({ id: 'c-1', goal: 'late', visitor_id: visitorId })).toMatchObject({ accepted: 1 });
  });

  // proves: analytics-rules/1-unknown_visitor
  it('as unknown_visitor if the site does not know its visitor or user, even if another site does', async () => {
    const other = await createTestSite(stage.database.pool);
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, other.id, { userId: 'u-9' });
    const { rejected } = await stage.send(
      { id: 'c-1', goal: 'lead', visitor_id: randomUUID() },
      { id: 'c-2', goal: 'lead', visitor_id: visitorId },
      { id: 'c-3', goal: 'lead', user_id: 'u-9' },
    );
    expect(rejected).toEqual([0, 1, 2].map((index) => ({ index, code: 'unknown_visitor' })));
  });

  // proves: analytics-states/conversion-90-days, analytics-rules/1-too_old
  // proves: decisions-analytics/fact-visit
  it('as too_old if no visit began at its time or up to 90 days before', async () => {
    const occurredAt = new Date('2026-10-01T12:00:00.500Z');
    const old = await addVisitorWithVisit(stage.database.pool, stage.site.id, {
      startedAt: new Date(occurredAt.getTime() - 90 * DAY - 1),
    });
    const edge = await addVisitorWithVisit(stage.database.pool, stage.site.id, {
      startedAt: new Date(occurredAt.getTime() - 90 * DAY),
    });
    const after = await addVisitorWithVisit(stage.database.pool, stage.site.id, {
      startedAt: new Date(occurredAt.getTime() + 1),
    });
    const without = await addVisitor(stage.database.pool, stage.site.id);
    const { accepted, rejected } = await stage.send(
      ...[old.visitorId, edge.visitorId, after.visitorId, without].map((visitorId, index) => ({
        id: `c-${index}`,
        goal: 'lead',
        visitor_id: visitorId,
        occurred_at: iso(occurredAt),
      })),
    );
    expect([accepted, rejected]).toEqual([
      1,
      [
        { index: 0, code: 'too_old' },
        { index: 2, code: 'too_old' },
        { index: 3, code: 'too_old' },
      ],
    ]);
  });

  it('as too_old regardless of what waits in the inbox: hits of others, later hits of the visitor, logins of others', async () => {
    const startedAt = ago(300 * DAY);
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id, { startedAt, userId: 'u-1' });
    await addToInbox(stage.database.pool, stage.site.id, await addVisitor(stage.database.pool, stage.site.id), {
      receivedAt: ago(1000),
      userId: 'u-2',
    });
    await addToInbox(stage.database.pool, stage.site.id, visitorId, { receivedAt: ago(1000) });
    const occurred = iso(new Date(startedAt.getTime() - 1));
    const { accepted, rejected } = await stage.send(
      { id: 'c-1', goal: 'lead', user_id: 'u-1', occurred_at: occurred },
      { id: 'c-2', goal: 'lead', visitor_id: visitorId, occurred_at: occurred },
    );
    expect([accepted, rejected]).toEqual([
      0,
      [
        { index: 0, code: 'too_old' },
        { index: 1, code: 'too_old' },
      ],
    ]);
  });

  // proves: analytics-errors/records, batch-response/accepted, batch-response/rejected, analytics-rules/1-202
  it('without stopping the others', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id);
    expect(
      await stage.send(
        { id: 'a', goal: 'none', visitor_id: visitorId },
        { id: 'b', goal: 'lead', visitor_id: visitorId },
        { id: 'c', goal: 'lead', visitor_id: randomUUID() },
        { id: 'b', goal: 'lead', visitor_id: visitorId },
      ),
    ).toEqual({
      accepted: 1,
      duplicates: 1,
      rejected: [
        { index: 0, code: 'unknown_goal' },
        { index: 2, code: 'unknown_visitor' },
      ],
    });
  });
});
