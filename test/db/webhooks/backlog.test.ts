import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordAddressSigns } from '../../../db/webhooks/addressHealth.ts';
import { reviewBacklogs } from '../../../db/webhooks/backlog.ts';
import { updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { countLockWaits, untilWaiting } from '../../support/lockWaits.ts';
import { addProject, addWebhook, recordEvent } from '../../support/webhooks/webhooks.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a review of the backlogs', () => {
  it('does not deadlock with the outcomes of attempts to the same webhooks', async () => {
    const { pool } = database;
    const projectId = await addProject(pool);
    const near = { ...(await addWebhook(pool, projectId, 'https://near.example/')), url: 'https://near.example/' };
    for (const id of ['a', 'b']) await recordEvent(pool, projectId, id);
    const paused = {
      ...(await addWebhook(pool, projectId, 'https://paused.example/')),
      url: 'https://paused.example/',
    };
    await pool.query('update webhooks set backlog_since = now() where id = $1', [paused.webhookId]);
    const other = await pool.connect();
    await other.query('begin');
    await other.query('select from webhooks where id = $1 for no key update', [near.webhookId]);
    const down = { up: false, down: 1, failingSince: new Date() };
    const signs = recordAddressSigns(pool, [
      { ...near, ...down },
      { ...paused, ...down },
    ]);
    await untilWaiting(pool, 1);
    const review = reviewBacklogs(pool, { pauseAbove: 3, resumeBelow: 2 });
    await untilWaiting(pool, 2);
    await other.query('commit');
    other.release();
    const [, changes] = await Promise.all([signs, review]);
    expect(changes).toEqual([{ projectId, webhookId: paused.webhookId, paused: false }]);
    const { rows } = await pool.query(
      'select backlog_room as room, failures_in_row as failures from webhooks order by id',
    );
    expect(rows).toEqual([
      { room: 1, failures: 1 },
      { room: null, failures: 1 },
    ]);
  });

  it('locks no webhook while it waits for another one', async () => {
    const { pool } = database;
    const projectId = await addProject(pool);
    const [first, second] = [
      await addWebhook(pool, projectId, 'https://first.example/'),
      await addWebhook(pool, projectId, 'https://second.example/'),
    ];
    await pool.query('update webhooks set backlog_since = now() where project_id = $1', [projectId]);
    const other = await pool.connect();
    await other.query('begin');
    await other.query('select from webhooks where id = $1 for no key update', [second.webhookId]);
    const review = reviewBacklogs(pool, { pauseAbove: 3, resumeBelow: 2 });
    await untilWaiting(pool, 1);
    let isSaved = false;
    const saved = updateWebhook(pool, projectId, first.webhookId, { enabled: false }).then(() => (isSaved = true));
    await eventually(async () => isSaved || (await countLockWaits(pool)) === 2, 'the save, or its wait');
    const hasWaited = !isSaved;
    await other.query('commit');
    other.release();
    await saved;
    expect(hasWaited).toBe(false);
    expect(await review).toEqual([first, second].map(({ webhookId }) => ({ projectId, webhookId, paused: false })));
  });

  it('leaves out a webhook that is deleted meanwhile', async () => {
    const { pool } = database;
    const projectId = await addProject(pool);
    const webhooks = [
      await addWebhook(pool, projectId, 'https://stays.example/'),
      await addWebhook(pool, projectId, 'https://goes.example/'),
    ].sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
    const [stays, goes] = webhooks.map(({ webhookId }) => webhookId);
    for (const id of ['a', 'b']) await recordEvent(pool, projectId, id);
    await reviewBacklogs(pool);
    await recordEvent(pool, projectId, 'c');
    const other = await pool.connect();
    await other.query('begin');
    await other.query('select from webhook_backlog_hours where webhook_id = $1 for update', [stays]);
    const review = reviewBacklogs(pool);
    await untilWaiting(pool, 1);
    let isDeleted = false;
    const deleted = pool.query('delete from webhooks where id = $1', [goes]).then(() => (isDeleted = true));
    await eventually(async () => isDeleted || (await countLockWaits(pool)) === 2, 'the deletion, or its wait');
    await other.query('commit');
    other.release();
    expect(await review).toEqual([]);
    await deleted;
    const { rows } = await pool.query('select webhook_id, most from webhook_backlog_hours where project_id = $1', [
      projectId,
    ]);
    expect(rows).toEqual([{ webhook_id: stays, most: 3 }]);
  });
});
