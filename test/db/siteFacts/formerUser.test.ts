/** Facts of a user whose browser another user has used since. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { attributePending } from '../../../db/siteFacts/attributePending.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { stageApi } from '../../api/support/stageApi.ts';
import { clientOf, type Client } from '../../api/support/testApi.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { addToInbox, addVisit, addVisitorWithVisit, HOUR } from '../../support/people/siteFacts.ts';

const stage = stageApi();
let site: TestSite;
let call: Client;
let laptop: { visitorId: string; visitId: string };
const TEN = new Date(Date.now() - 10 * HOUR);
const after = (hours: number): Date => new Date(TEN.getTime() + hours * HOUR);

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
  call = clientOf(stage.api.analytics, site.key);
  laptop = await addVisitorWithVisit(stage.database.pool, site.id, { startedAt: TEN });
});

async function login(userId: string, at: Date, visitorId = laptop.visitorId): Promise<void> {
  const record = { visitorId, userId, fingerprint: null, data: {}, source: 'user' as const, at };
  await inTransaction(stage.database.pool, (client) => applyUserData(client, site.id, [record]));
}

const order = async (userId: string, at: Date, id = 'A-1') =>
  (await call('POST', '/orders', { orders: [{ transaction_id: id, user_id: userId, occurred_at: at.toISOString() }] }))
    .body;

async function stored(id = 'A-1') {
  const { rows } = await stage.database.pool.query<Record<string, unknown>>(
    'select visitor_id, user_id, visit_id, attribution from site_orders where site_id = $1 and transaction_id = $2',
    [site.id, id],
  );
  return rows[0];
}

describe('an order of a user whose browser another user used later', () => {
  // proves: analytics-decisions/former-user
  it('belongs to the visit in which the user bought', async () => {
    await login('u', TEN);
    const later = await addVisit(stage.database.pool, site.id, laptop.visitorId, after(2));
    await login('v', after(2));
    expect(await order('u', after(0.5))).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await stored()).toMatchObject({ visitor_id: laptop.visitorId, visit_id: laptop.visitId, user_id: 'u' });
    expect(await order('v', after(3), 'A-2')).toMatchObject({ accepted: 1 });
    expect(await stored('A-2')).toMatchObject({ visit_id: later, user_id: 'v' });
  });

  // proves: analytics-decisions/former-user
  it('does not belong to a visit that began after the other user came', async () => {
    await login('u', TEN);
    await addVisit(stage.database.pool, site.id, laptop.visitorId, after(3));
    await login('v', after(2));
    expect(await order('u', after(4))).toMatchObject({ accepted: 1 });
    expect(await stored()).toMatchObject({ visit_id: laptop.visitId });
  });

  it('may belong to any visit again once the user is back', async () => {
    await login('u', TEN);
    await login('v', after(2));
    await login('u', after(3));
    const back = await addVisit(stage.database.pool, site.id, laptop.visitorId, after(4));
    expect(await order('u', after(5))).toMatchObject({ accepted: 1 });
    expect(await stored()).toMatchObject({ visit_id: back });
    expect(await order('v', after(5), 'A-2')).toMatchObject({ accepted: 1 });
    expect(await stored('A-2')).toMatchObject({ visit_id: laptop.visitId });
  });

  it('belongs to the visit before the other user came, even if the change of users was not recorded then', async () => {
    await login('u', TEN);
    await login('v', after(2));
    await stage.database.pool.query(
      `update site_visitor_users set ended_at = null, linked_at = case user_id when 'u' then $2::timestamptz else $3 end where site_id = $1`,
      [site.id, TEN, after(2)],
    );
    await addVisit(stage.database.pool, site.id, laptop.visitorId, after(3));
    expect(await order('u', after(4))).toMatchObject({ accepted: 1 });
    expect(await stored()).toMatchObject({ visit_id: laptop.visitId });
  });

  it('waits for hits that may begin its visit', async () => {
    await login('u', TEN);
    await login('v', after(2));
    await addToInbox(stage.database.pool, site.id, laptop.visitorId, { receivedAt: after(0.5), at: after(0.4) });
    expect(await order('u', after(0.5))).toMatchObject({ accepted: 1 });
    expect(await stored()).toMatchObject({ attribution: 'pending', user_id: 'u', visitor_id: null });
  });
});

describe('an order that names the browser which two users share', () => {
  const ofVisitor = async (at: Date, id: string): Promise<unknown> => {
    const sent = { transaction_id: id, visitor_id: laptop.visitorId, occurred_at: at.toISOString() };
    expect((await call('POST', '/orders', { orders: [sent] })).body).toMatchObject({ accepted: 1 });
    return (await stored(id))?.['user_id'];
  };

  it('belongs to the user who was signed in when it was placed, however late it is sent', async () => {
    await login('u', TEN);
    await login('v', after(2));
    expect(await ofVisitor(after(0.5), 'A-1')).toBe('u');
    expect(await ofVisitor(after(3), 'A-2')).toBe('v');
  });

  it('belongs to the user whose login is not ingested yet', async () => {
    await login('u', TEN);
    const hits = { receivedAt: after(2), at: after(2), userId: 'v' };
    const inboxId = await addToInbox(stage.database.pool, site.id, laptop.visitorId, hits);
    await ofVisitor(after(2.1), 'A-1');
    await stage.database.pool.query('delete from collect_inbox where id = $1', [inboxId]);
    await login('v', after(2));
    await attributePending(stage.database.pool, shardOf(site.id), 10);
    expect(await stored()).toMatchObject({ user_id: 'v', visit_id: laptop.visitId, attribution: 'visit' });
  });

  it('belongs to the second user if the logins of both are not ingested yet', async () => {
    const hits = { receivedAt: after(2), at: after(2), userId: 'v' };
    const inboxId = await addToInbox(stage.database.pool, site.id, laptop.visitorId, hits);
    await ofVisitor(after(2.1), 'A-1');
    await stage.database.pool.query('delete from collect_inbox where id = $1', [inboxId]);
    await login('u', TEN);
    await login('v', after(2));
    await attributePending(stage.database.pool, shardOf(site.id), 10);
    expect(await stored()).toMatchObject({ user_id: 'v', attribution: 'visit' });
  });

  it('belongs to the first user if nobody was signed in yet', async () => {
    await login('u', after(1));
    await login('v', after(2));
    expect(await ofVisitor(after(0.5), 'A-1')).toBe('u');
  });
});
