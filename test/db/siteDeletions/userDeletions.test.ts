import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { readLakeState } from '../../../db/lake/lakeGauges.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import {
  claimUserDeletions,
  closeUserDeletions,
  listUsersInHand,
  requestUserDeletion,
  requestVisitorsOfUsers,
} from '../../../db/siteDeletions/userDeletions.ts';
import { purgeVisitor } from '../../../db/siteDeletions/purgeVisitor.ts';
import {
  claimVisitorDeletions,
  closeVisitorDeletions,
  listVisitorsInHand,
} from '../../../db/siteDeletions/visitorDeletionRequests.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite, addVisitor } from '../../support/people/sitePeople.ts';

let db: TestDatabase;
let site: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});
beforeEach(async () => {
  site = await addSite(db.pool);
  await db.pool.query('truncate user_deletions, visitor_deletions');
});

async function linkVisitor(userId: string): Promise<string> {
  const visitorId = await addVisitor(db.pool, site);
  await inTransaction(db.pool, (client) =>
    applyUserData(client, site, [{ visitorId, userId, fingerprint: null, data: {}, source: 'user', at: new Date() }]),
  );
  return visitorId;
}

async function runOf(runId: string, visitors: number): Promise<[number, number]> {
  await requestVisitorsOfUsers(db.pool);
  const claimed: [number, number] = [
    await claimVisitorDeletions(db.pool, runId, visitors),
    await claimUserDeletions(db.pool, runId, 10),
  ];
  for (const visitor of await listVisitorsInHand(db.pool, runId)) await purgeVisitor(db.pool, visitor);
  await closeUserDeletions(db.pool, runId);
  await closeVisitorDeletions(db.pool, runId);
  return claimed;
}

describe('deletion of a user with more visitors than one run can delete', () => {
  it('ends with the run that deletes the last of them', async () => {
    for (let i = 0; i < 3; i += 1) await linkVisitor('many');
    await requestUserDeletion(db.pool, site, 'many');
    expect([await runOf('a', 2), await runOf('b', 2), await runOf('c', 2)]).toEqual([
      [2, 0],
      [1, 1],
      [0, 0],
    ]);
  });

  it('does not wait for visitors that were linked after the request', async () => {
    await linkVisitor('busy');
    await requestUserDeletion(db.pool, site, 'busy');
    await requestVisitorsOfUsers(db.pool);
    await linkVisitor('busy');
    expect([await runOf('a', 1), await runOf('b', 1)]).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });

  it("does not touch another site's user of the same name", async () => {
    await linkVisitor('same');
    const elsewhere = await addSite(db.pool);
    await requestUserDeletion(db.pool, elsewhere, 'same');
    expect(await runOf('a', 10)).toEqual([0, 1]);
  });
});

describe('requests to delete users', () => {
  it('go to one run, and again only to that run until it is lost', async () => {
    await requestUserDeletion(db.pool, site, 'one');
    expect([
      await claimUserDeletions(db.pool, 'a', 10),
      await claimUserDeletions(db.pool, 'b', 10),
      await claimUserDeletions(db.pool, 'a', 10),
    ]).toEqual([1, 0, 1]);
    await db.pool.query(`update user_deletions set claimed_at = now() - interval '25 hours'`);
    expect([await claimUserDeletions(db.pool, 'b', 10), await listUsersInHand(db.pool, 'a')]).toEqual([1, []]);
  });

  it('are claimed oldest first, up to the limit', async () => {
    for (const [i, user] of ['new', 'old'].entries()) {
      await requestUserDeletion(db.pool, site, user);
      await db.pool.query(
        'update user_deletions set requested_at = now() - make_interval(hours => $2) where user_id = $1',
        [user, i],
      );
    }
    expect(await claimUserDeletions(db.pool, 'a', 1)).toBe(1);
    expect(await listUsersInHand(db.pool, 'a')).toEqual([{ siteId: site, userId: 'old' }]);
  });

  it('are monitored by the age of the oldest', async () => {
    await db.pool.query(
      'create schema if not exists lake; create table if not exists lake.ducklake_data_file (end_snapshot bigint, file_size_bytes bigint); create table if not exists lake.ducklake_snapshot (snapshot_id bigint, snapshot_time timestamptz)',
    );
    await requestUserDeletion(db.pool, site, 'waits');
    await db.pool.query(`update user_deletions set requested_at = now() - interval '2 hours'`);
    expect((await readLakeState(db.pool)).oldestDeletionSeconds).toBeGreaterThanOrEqual(7_200);
  });
});
