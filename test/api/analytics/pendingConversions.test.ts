import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { storeCollected } from '../../../db/collect/storeCollected.ts';
import { attributePending } from '../../../db/siteFacts/attributePending.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { addToInbox, addVisit, addVisitor, addVisitorWithVisit, HOUR } from '../../support/people/siteFacts.ts';
import { ago, stageConversions } from './support/conversionStage.ts';

const stage = stageConversions();

describe('a conversion of a visitor whose hits are being ingested', () => {
  const ingest = (): Promise<number> =>
    inTransaction(stage.database.pool, async (client) => {
      await client.query('delete from collect_inbox where site_id = $1', [stage.site.id]);
      return attributePending(client, shardOf(stage.site.id), 100);
    });

  // proves: analytics-states/hits-under-way
  it('is accepted, and attributed once they have been ingested', async () => {
    const visitorId = await addVisitor(stage.database.pool, stage.site.id);
    await addToInbox(stage.database.pool, stage.site.id, visitorId);
    expect(await stage.send({ id: 'c-1', goal: 'lead', visitor_id: visitorId })).toMatchObject({ accepted: 1 });
    expect(await stage.stored()).toMatchObject({ attribution: 'pending', visit_id: null });
    const visitId = await addVisit(stage.database.pool, stage.site.id, visitorId, ago(1000));
    expect(await ingest()).toBe(1);
    expect(await stage.stored()).toMatchObject({ attribution: 'visit', visit_id: visitId });
  });

  // proves: analytics-states/hits-under-way
  it('waits even if there is an earlier visit, because the hits may begin another', async () => {
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id, { startedAt: ago(5 * HOUR) });
    await addToInbox(stage.database.pool, stage.site.id, visitorId);
    await stage.send({ id: 'c-1', goal: 'lead', visitor_id: visitorId });
    const visitId = await addVisit(stage.database.pool, stage.site.id, visitorId, ago(1000));
    await ingest();
    expect(await stage.stored()).toMatchObject({ attribution: 'visit', visit_id: visitId });
  });

  // proves: analytics-states/hits-under-way
  it('is accepted by user_id if the visitor has just logged in as that user', async () => {
    const visitorId = await addVisitor(stage.database.pool, stage.site.id);
    await addToInbox(stage.database.pool, stage.site.id, visitorId, { userId: 'u-1' });
    const { accepted, rejected } = await stage.send(
      { id: 'c-1', goal: 'lead', user_id: 'u-1' },
      { id: 'c-2', goal: 'lead', user_id: 'u-2' },
    );
    expect([accepted, rejected]).toEqual([1, [{ index: 1, code: 'unknown_visitor' }]]);
    await stage.database.pool.query(`update site_visitors set user_id = 'u-1' where site_id = $1`, [stage.site.id]);
    const visitId = await addVisit(stage.database.pool, stage.site.id, visitorId, ago(1000));
    await ingest();
    expect(await stage.stored()).toMatchObject({
      attribution: 'visit',
      visit_id: visitId,
      visitor_id: visitorId,
      user_id: 'u-1',
    });
  });

  it('is accepted by the id of every user the visitor has logged in as, however many hits have come since', async () => {
    const visitorId = await addVisitor(stage.database.pool, stage.site.id);
    const user = (id: string) => ({
      key: randomUUID(),
      at: Date.now(),
      type: 'user' as const,
      url: 'https://shop.test/',
      referrer: null,
      title: null,
      name: null,
      target: null,
      depth: null,
      x: null,
      y: null,
      selector: null,
      params: null,
      order: null,
      user: { user_id: id },
    });
    const odd = 'a "quoted\\ {user},';
    await storeCollected(
      stage.database.pool,
      [
        {
          siteId: stage.site.id,
          visitorId,
          receivedAt: new Date(),
          ip: '203.0.113.7',
          userAgent: 'x',
          device: null,
          events: [user('u-1'), user(odd)],
        },
      ],
      24,
    );
    await stage.database.pool.query(
      `insert into collect_inbox (shard, site_id, visitor_id, received_at, ip, user_agent, batch) select $1, $2, $3, now(), '203.0.113.7', 'x', '{}' from generate_series(1, 6000)`,
      [shardOf(stage.site.id), stage.site.id, visitorId],
    );
    expect(
      await stage.send(
        { id: 'c-1', goal: 'lead', user_id: 'u-1' },
        { id: 'c-2', goal: 'lead', user_id: odd },
        { id: 'c-3', goal: 'lead', user_id: 'u-2' },
      ),
    ).toEqual({ accepted: 2, duplicates: 0, rejected: [{ index: 2, code: 'unknown_visitor' }] });
    await stage.database.pool.query('delete from collect_inbox where site_id = $1', [stage.site.id]);
  });

  it('is a duplicate when it is sent again in the meantime', async () => {
    const visitorId = await addVisitor(stage.database.pool, stage.site.id);
    await addToInbox(stage.database.pool, stage.site.id, visitorId);
    const conversion = { id: 'c-1', goal: 'lead', visitor_id: visitorId };
    await stage.send(conversion);
    expect(await stage.send(conversion)).toMatchObject({ duplicates: 1 });
  });
});

describe('a conversion of a visitor who is being deleted', () => {
  it.each(['visitor_id', 'user_id'])(
    'that is sent with a %s waits for the end of the deletion, and is then rejected',
    async (by) => {
      const { visitorId } = await addVisitorWithVisit(stage.database.pool, stage.site.id, { userId: 'u-1' });
      const other = await addVisitorWithVisit(stage.database.pool, stage.site.id, { userId: 'u-2' });
      const deletion = await stage.database.pool.connect();
      await deletion.query('begin');
      await deletion.query('delete from site_visitors where site_id = $1 and visitor_id = $2', [
        stage.site.id,
        visitorId,
      ]);
      const sending = stage.send(
        { id: 'c-1', goal: 'lead', [by]: by === 'visitor_id' ? visitorId : 'u-1' },
        { id: 'c-2', goal: 'lead', visitor_id: other.visitorId },
      );
      await untilWaiting(stage.database.pool, 1);
      await deletion.query('commit');
      deletion.release();
      expect(await sending).toEqual({ accepted: 1, duplicates: 0, rejected: [{ index: 0, code: 'unknown_visitor' }] });
    },
  );
});
