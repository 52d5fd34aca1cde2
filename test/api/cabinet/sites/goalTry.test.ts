/** POST /sites/{id}/goals/try: the hits that a goal would have matched. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createCountedReports } from '../../../support/people/countedReports.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, type Answer, type Client } from '../../support/testApi.ts';
import { createTestSite, type TestSite } from '../../support/testSite.ts';

/** Row n is `row n` with n hits. */
const reports = createCountedReports(5);
const stage = stageApi({ reports });
let site: TestSite;
let viewer: Client;

beforeAll(async () => {
  const { pool } = stage.database;
  site = await createTestSite(pool);
  viewer = clientOf(stage.api.cabinet, await tokenOf(pool, await createTestUser(pool, 'viewer', { sites: [site.id] })));
});

const attempt = (body: unknown, id = site.id): Promise<Answer> => viewer('POST', `/sites/${id}/goals/try`, body);

describe('POST /sites/{id}/goals/try', () => {
  it.each([
    [{ type: 'url', match: { op: 'contains', value: 'row' } }, 'page_url', 'pageviews', 10],
    [{ type: 'url', match: { op: 'regex', value: 'row [34]' } }, 'page_url', 'pageviews', 7],
    [{ type: 'event', match: { name: 'row 4' } }, 'event_name', 'events', 4],
    [{ type: 'form' }, 'form_id', 'form_submissions', 10],
  ])('counts what %j would have matched', async (goal, dimension, metric, matched) => {
    const { status, body } = await attempt(goal);
    expect([status, body]).toMatchObject([200, { days: 7, hits: 10, matched, complete: true, sampled: false }]);
    expect(body.examples[0]).toEqual({ text: expect.stringMatching(/^row \d$/), hits: expect.any(Number) });
    expect(reports.asked.at(-1)).toMatchObject({ dimensions: [dimension], metrics: [metric], limit: 10_000 });
  });

  it('counts all orders of a purchase goal, and never fewer than 0', async () => {
    const { body } = await attempt({ type: 'purchase' });
    expect(body).toMatchObject({ hits: 0, matched: 0, examples: [], complete: true });
  });

  it('says when rarer addresses were not checked', async () => {
    reports.rows = 10_001;
    expect((await attempt({ type: 'form' })).body).toMatchObject({ complete: false });
    reports.rows = 5;
  });

  it.each([
    [{ type: 'js' }, 'type'],
    [{ type: 'url' }, 'match'],
    [{ type: 'url', match: { op: 'regex', value: '(' } }, 'match.value'],
    [{ type: 'event', match: { name: '' } }, 'match.name'],
  ])('refuses %j', async (goal, field) => {
    const { status, body } = await attempt(goal);
    expect([status, body.error.details[0].field]).toEqual([422, field]);
  });

  it('stores nothing, and is not recorded in the audit trail', async () => {
    const { rows } = await stage.database.pool.query('select from audit_log union all select from site_goals');
    expect(rows).toEqual([]);
  });

  it('answers 404 for a site of another owner', async () => {
    const other = await createTestSite(stage.database.pool);
    expect((await attempt({ type: 'form' }, other.id)).status).toBe(404);
  });
});
