import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { insertSnapshots, readShownPages, type OutputSnapshot } from '../../../../db/output/snapshots.ts';
import { moveHistoryChunk } from '../../../../db/people/moveHistory.ts';
import { purgeChunk } from '../../../../db/people/purge.ts';
import { readEarlierPages } from '../../../../output/serve/snapshots/earlierPages.ts';
import { createSnapshotWriter } from '../../../../output/serve/snapshots/snapshotWriter.ts';
import type { Logger } from '../../../../platform/process/logger.ts';
import { identityOf } from '../../../support/people/people.ts';
import { stageOutput } from '../../support/outputStage.ts';

const snapshotOf = (id: string, data: Partial<OutputSnapshot> = {}): OutputSnapshot => ({
  projectId: 'p',
  id,
  page: 0,
  path: 'similar',
  identityId: null,
  surface: null,
  mode: 'contextual',
  model: null,
  variant: null,
  lot: null,
  itemIds: ['a', 'b'],
  scores: [0.5, 0.25],
  reasons: [{ code: 'similar', item: 's' }, { code: 'new' }],
  firstPosition: 0,
  hasNext: true,
  propensities: null,
  latencyMs: 1,
  createdAt: new Date(),
  ...data,
});

/** Creates a database that refuses some ids, or everything. */
function fakeDatabase() {
  const stored: string[] = [];
  const logged: string[] = [];
  const state = { isAway: false, refused: new Set<string>() };
  const pool = {
    async query({ values }: { values: unknown[][] }) {
      const ids = values[1] as string[];
      if (state.isAway) throw Object.assign(new Error('shutting down'), { code: '57P01' });
      if (ids.some((id) => state.refused.has(id))) throw Object.assign(new Error('bad'), { code: '22P05' });
      stored.push(...ids);
    },
  } as unknown as pg.Pool;
  const log = (level: string) => (_data: unknown, text: string) => void logged.push(`${level} ${text}`);
  const logger = { warn: log('warn'), error: log('error') } as unknown as Logger;
  return { pool, logger, stored, logged, state };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the writer of snapshots', () => {
  // proves: output-snapshots/behind-the-answer
  it('drops a snapshot that the database refuses, and stores the others', async () => {
    const { pool, logger, stored, logged, state } = fakeDatabase();
    state.refused.add('7');
    const writer = createSnapshotWriter(pool, logger);
    for (let n = 0; n < 20; n += 1) writer.add(snapshotOf(String(n)));
    await writer.close();
    expect(stored.map(Number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n).filter((n) => n !== 7),
    );
    expect(logged).toEqual(['error a snapshot of an answer was refused']);
  });

  // proves: output-snapshots/behind-the-answer
  it('waits for a database that is unavailable, and logs it once', async () => {
    const { pool, logger, stored, logged, state } = fakeDatabase();
    const writer = createSnapshotWriter(pool, logger);
    state.isAway = true;
    writer.add(snapshotOf('one'));
    await pause(700);
    expect(stored).toEqual([]);
    expect(writer.pendingPages('p', 'one')).toHaveLength(1);
    state.isAway = false;
    await writer.close();
    expect(stored).toEqual(['one']);
    expect(logged).toEqual(['warn snapshots of answers are waiting for the database']);
    writer.add(snapshotOf('late'));
    await pause(300);
    expect(stored).toEqual(['one']);
  });

  // proves: output-snapshots/behind-the-answer
  it('keeps only the latest snapshots, up to its limit of items', async () => {
    const { pool, logger, stored } = fakeDatabase();
    const writer = createSnapshotWriter(pool, logger, { mostItems: 5 });
    for (const id of ['one', 'two', 'three']) writer.add(snapshotOf(id));
    await writer.close();
    expect(stored).toEqual(['two', 'three']);
  });
});

describe('a snapshot', () => {
  const stage = stageOutput({ deadlineMs: 0 });

  // proves: output-snapshots/snapshot, output-snapshots/link-later
  it('belongs to the present identity of its person, and is not stored for a deleted person', async () => {
    const { pool } = stage.api;
    const { id: projectId } = stage.project;
    const identity = async (kind: string, name: string, more = 'null, null') => {
      const { rows } = await pool.query<{ id: string }>(
        `insert into identities (project_id, kind, external_id, merged_into, dead_at) values ($1, $2, $3, ${more}) returning id::text`,
        [projectId, kind, name],
      );
      return rows[0]?.id ?? '';
    };
    const user = await identity('user', 'u');
    const device = await identity('anonymous', 'a', `${user}, null`);
    const dead = await identity('user', 'd', 'null, now()');
    const owners = { user, device, dead, nobody: null };
    await insertSnapshots(
      pool,
      Object.entries(owners).map(([id, identityId]) => snapshotOf(id, { projectId, identityId })),
    );
    const { rows } = await pool.query(
      'select id, identity_id::text as owner, path from output_snapshots where project_id = $1 order by id',
      [projectId],
    );
    expect(rows).toEqual([
      { id: 'device', owner: user, path: 'similar' },
      { id: 'nobody', owner: null, path: 'similar' },
      { id: 'user', owner: user, path: 'similar' },
    ]);
    const { itemIds, scores, reasons, hasNext } = snapshotOf('user');
    expect(await readShownPages(pool, projectId, 'user', 0)).toMatchObject([{ itemIds, scores, reasons, hasNext }]);
  });

  // proves: output-snapshots/link-before
  it("becomes the user's when its device is linked later, and in the second pass if it comes late", async () => {
    const { pool } = stage.api;
    const { id: projectId } = stage.project;
    await stage.call('POST', '/users/profile', { user: { anonymous_id: 'd' }, city: 'Казань' });
    const people = { pool, projectId };
    const deviceId = await identityOf(people, 'anonymous', 'd');
    const owners = async () =>
      (
        await pool.query<{ id: string; owner: string }>(
          'select id, identity_id::text as owner from output_snapshots where project_id = $1 order by id, page',
          [projectId],
        )
      ).rows.map(({ id, owner }) => [id, owner]);
    const own = { projectId, identityId: deviceId };
    const early = [0, 1].map((page) => snapshotOf('early', { ...own, page }));
    await insertSnapshots(pool, [...early, snapshotOf("another's", { projectId, identityId: null })]);
    await stage.call('POST', '/users/link', { user_id: 'u', anonymous_id: 'd' });
    const userId = await identityOf(people, 'user', 'u');
    const move = async (isLastPass: boolean) => {
      while ((await moveHistoryChunk(pool, { projectId, deviceId, limit: 1, isLastPass })).state === 'more');
    };
    await move(false);
    const moved = [
      ["another's", null],
      ['early', userId],
      ['early', userId],
    ];
    expect(await owners()).toEqual(moved);
    await insertSnapshots(pool, [snapshotOf('late', own)]);
    // Stands for a statement that saw only the device and stores its row after that pass.
    await pool.query(`update output_snapshots set identity_id = $2 where project_id = $1 and id = 'late'`, [
      projectId,
      deviceId,
    ]);
    await move(true);
    expect(await owners()).toEqual([...moved, ['late', userId]]);
  });

  // proves: output-snapshots/delete, decisions-people/delete-unreadable
  it('is not returned again once a deletion has been answered, though its items still do not repeat', async () => {
    const { pool } = stage.api;
    const { id: projectId } = stage.project;
    const user = { user_id: 'u' };
    await stage.call('POST', '/users/profile', { user, city: 'Казань' });
    const identityId = await identityOf({ pool, projectId }, 'user', 'u');
    const pages = [0, 1].map((page) => snapshotOf('own', { projectId, identityId, page, itemIds: [`i-${page}`] }));
    await insertSnapshots(pool, pages);
    const position = { recommendationId: 'own', page: 1, firstPosition: 1, bodyHash: '' };
    const waitingPages = pages.map((page) => ({ ...page, id: 'waiting' }));
    const waiting = { pendingPages: (_: string, id: string) => (id === 'waiting' ? waitingPages : []) };
    const read = async (recommendationId: string) => {
      const { shown, page } = await readEarlierPages(pool, waiting, {
        projectId,
        position: { ...position, recommendationId },
        person: null,
      });
      return [[...shown], page?.itemIds];
    };
    expect(await read('own')).toEqual([['i-0'], ['i-1']]);
    expect(await read('waiting')).toEqual([['i-0'], ['i-1']]);
    await stage.call('POST', '/users/delete', { user });
    expect(await read('own')).toEqual([['i-0'], undefined]);
    expect(await read('waiting')).toEqual([['i-0'], undefined]);
  });

  // proves: output-request/cursor
  it('is known while it is being stored', async () => {
    const { id: projectId } = stage.project;
    const pageOf = (page: number) => snapshotOf('own', { projectId, page, itemIds: [`i-${page}`] });
    await insertSnapshots(stage.api.pool, [pageOf(0)]);
    const waiting = [pageOf(1)];
    // The page is stored after it was looked for, and has left the writer's memory when the answer arrives.
    const pool = {
      async query(statement: pg.QueryConfig) {
        const read = await stage.api.pool.query(statement);
        await insertSnapshots(stage.api.pool, waiting.splice(0));
        return read;
      },
    } as unknown as pg.Pool;
    const position = { recommendationId: 'own', page: 1, firstPosition: 1, bodyHash: '' };
    const writer = { pendingPages: () => [...waiting] };
    const { shown, page } = await readEarlierPages(pool, writer, { projectId, position, person: null });
    expect([[...shown], page?.itemIds]).toEqual([['i-0'], ['i-1']]);
  });

  // proves: output-snapshots/delete
  it('is found by the second pass of a deletion if it comes late', async () => {
    const { pool } = stage.api;
    const { id: projectId } = stage.project;
    const user = { user_id: 'u' };
    await stage.call('POST', '/users/profile', { user, city: 'Казань' });
    const { rows } = await pool.query<{ id: string }>('select id::text from identities where project_id = $1', [
      projectId,
    ]);
    const rootId = rows[0]?.id ?? '';
    await insertSnapshots(pool, [snapshotOf('early', { projectId, identityId: rootId })]);
    await stage.call('POST', '/users/delete', { user });
    const purge = async (isLastPass: boolean) => {
      while ((await purgeChunk(pool, { projectId, rootId, limit: 10, isLastPass })).state === 'more');
    };
    await purge(false);
    // Stands for a statement that saw the person alive and stores its row after that pass.
    await insertSnapshots(pool, [snapshotOf('late', { projectId })]);
    await pool.query('update output_snapshots set identity_id = $2 where project_id = $1', [projectId, rootId]);
    await purge(true);
    expect((await pool.query('select id from output_snapshots where project_id = $1', [projectId])).rows).toEqual([]);
  });
});
