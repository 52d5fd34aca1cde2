import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createLocalBlobStore } from '../../../../platform/blobs/local.ts';
import { loadConfig } from '../../../../config.ts';
import { deleteUser } from '../../../../db/people/deleteUser.ts';
import { writeProfiles } from '../../../../db/people/profiles.ts';
import { deleteSiteUser } from '../../../../db/siteDeletions/userDeletions.ts';
import { deleteVisitor } from '../../../../db/siteDeletions/visitorDeletionRequests.ts';
import { deriveKey } from '../../../../domain/accounts/secretKeys.ts';
import type { Identifier } from '../../../../domain/people/identity.ts';
import { copyLedger } from '../../../../loops/relay/copyDeletionLedger.ts';
import { runAdmin, type Outcome } from '../../../../tools/scripts/admin/run.ts';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addHistory, identityOf, link } from '../../../support/people/people.ts';
import { createTestProject } from '../../../support/project.ts';
import { addSite, addVisitor } from '../../../support/people/sitePeople.ts';

const ENV = { PUBLIC_URL: 'https://attune.test', SECRET_KEY: 'x'.repeat(32) };
const LEDGER_KEY = deriveKey(loadConfig({ ...ENV, DATABASE_URL: 'postgres://x' }).secretKey, 'deletion-ledger');
const VISITORS = {
  doomed: '01912345-0000-7000-8000-00000000d00d',
  ofUser: '01912345-0000-7000-8000-0000000000aa',
  other: '01912345-0000-7000-8000-0000000000bb',
};

let database: TestDatabase;
let folder: string;
let projectId: string;
let siteId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-ledger-'));
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  siteId = await addSite(database.pool);
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const admin = (of: TestDatabase, args: string[], input = ''): Promise<Outcome> =>
  runAdmin(
    args,
    { ...ENV, DATABASE_URL: of.url, BLOB_DIR: join(folder, 'blobs'), WORK_DIR: join(folder, 'work') },
    async () => input,
  );

const remove = (pool: pg.Pool, ...identifiers: Identifier[]): Promise<boolean> =>
  deleteUser(pool, { projectId, identifiers, requestId: null, ledgerKey: LEDGER_KEY });

/** Returns the tables with a row that contains the text in any column, as a dump would show it. */
async function tablesWith(pool: pg.Pool, text: string): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query(`select from ${name} t where position($1 in t::text) > 0 limit 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

async function fill(): Promise<void> {
  const people = { pool: database.pool, projectId };
  await link(people, 'doomed-user', 'doomed-device');
  for (const [kind, externalId] of [
    ['user', 'doomed-user'],
    ['anonymous', 'doomed-device'],
    ['user', 'other-user'],
  ] as const)
    await addHistory(people, await identityOf(people, kind, externalId), { facts: 5, states: 2, orders: 2 });
  await writeProfiles(
    people.pool,
    projectId,
    [{ identifier: { kind: 'user', externalId: 'doomed-user' }, seenOn: null, change: { city: 'doomed-city' } }],
    new Date(),
  );
  for (const id of Object.values(VISITORS)) await addVisitor(database.pool, siteId, id);
  await database.pool.query(
    `insert into site_orders (site_id, transaction_id, status, origin, visitor_id, occurred_at, attribution, shard)
     values ($1, 'doomed-order', 'purchased', 'api', $2, now(), 'none', 0), ($1, 'other-order', 'purchased', 'api', $3, now(), 'none', 0)`,
    [siteId, VISITORS.doomed, VISITORS.other],
  );
  await database.pool.query(
    `insert into site_people (site_id, kind, person_id) values ($1, 'user', 'doomed-site-user'), ($1, 'user', 'other-site-user')`,
    [siteId],
  );
  await database.pool.query(
    `insert into site_visitor_users (site_id, visitor_id, user_id) values ($1, $2, 'doomed-site-user')`,
    [siteId, VISITORS.ofUser],
  );
  await database.pool.query(
    `insert into experiment_people (project_id, experiment, since, slot, mark, variant) values ($1, 'e', now(), 1, 1, 0)`,
    [projectId],
  );
}

const DOOMED = ['doomed-user', 'doomed-device', 'doomed-city', 'doomed-order', 'doomed-site-user', VISITORS.doomed];
const OTHERS = ['other-user', 'other-order', 'other-site-user', VISITORS.other];

/** Checks that no table names a deleted person, except requests that are still open for the lake. */
async function expectForgotten(pool: pg.Pool): Promise<void> {
  for (const text of [...DOOMED, VISITORS.ofUser])
    expect([
      text,
      (await tablesWith(pool, text)).filter(
        (table) => !['public.visitor_deletions', 'public.user_deletions', 'public.outbox'].includes(table),
      ),
    ]).toEqual([text, []]);
  for (const text of OTHERS) expect([text, (await tablesWith(pool, text)).length > 0]).toEqual([text, true]);
}

describe('replay-deletions', () => {
  it('deletes again, by the ledger of the blob store, people whom an older backup restored', async () => {
    await fill();
    const backup = await copyDatabase(database);
    try {
      expect(await remove(database.pool, { kind: 'user', externalId: 'doomed-user' })).toBe(true);
      await deleteVisitor(database.pool, LEDGER_KEY, { siteId, visitorId: VISITORS.doomed });
      await deleteSiteUser(database.pool, LEDGER_KEY, { siteId, userId: 'doomed-site-user' });
      await copyLedger({
        pool: database.pool,
        blobs: createLocalBlobStore(join(folder, 'blobs')),
        workDir: join(folder, 'work'),
      });
      for (const text of DOOMED) expect((await tablesWith(backup.pool, text)).length).toBeGreaterThan(0);
      const outcome = await admin(backup, ['replay-deletions']);
      expect(outcome).toMatchObject({ code: 0 });
      expect(outcome.lines.join('\n')).toContain('deleted again: 1 identities of end users, 1 visitors and 1 users');
      await expectForgotten(backup.pool);
      // The table may hold visitors who were never known, whom no ledger names, so it is emptied.
      expect((await backup.pool.query('select from experiment_people')).rowCount).toBe(0);
      // A relay that copies the restored ledger removes nothing from the store's.
      expect((await admin(backup, ['list-deletions'])).lines.sort()).toEqual(
        (await admin(database, ['list-deletions'])).lines.sort(),
      );
    } finally {
      await backup.drop();
    }
  });

  it('reads a ledger that was kept elsewhere, and that names nobody', async () => {
    const { lines } = await admin(database, ['list-deletions']);
    expect(lines).toHaveLength(4);
    for (const text of DOOMED) expect(lines.join('\n')).not.toContain(text);
    await rm(join(folder, 'blobs'), { recursive: true, force: true });
    const empty = await createTestDatabase();
    try {
      await empty.pool.query('truncate deletion_ledger');
      const outcome = await admin(empty, ['replay-deletions', '--ledger', '-'], `${lines.join('\n')}\n`);
      expect(outcome.lines[0]).toBe("read 0 entries of the blob store's ledger and 4 given ones");
      expect((await admin(empty, ['list-deletions'])).lines.sort()).toEqual(lines.sort());
    } finally {
      await empty.drop();
    }
  });

  it('keeps people who became known after the deletion', async () => {
    const people = { pool: database.pool, projectId };
    await remove(database.pool, { kind: 'user', externalId: 'returning' });
    await identityOf(people, 'user', 'returning');
    await remove(database.pool, { kind: 'user', externalId: 'returning' });
    const again = await identityOf(people, 'user', 'returning');
    await addHistory(people, again, { facts: 1 });
    expect((await admin(database, ['replay-deletions'])).lines.join('\n')).toContain('deleted again: 0 identities');
    expect(await identityOf(people, 'user', 'returning')).toBe(again);
  });

  it.each([
    ['a malformed line', ['replay-deletions', '--ledger', '-'], 'line 2 is not an entry of a ledger of deletions'],
    ['a file name', ['replay-deletions', '--ledger', 'x.txt'], 'standard input'],
  ])('refuses %s', async (_what, args, message) => {
    const outcome = await admin(database, args, '\nnonsense\n');
    expect(outcome.code).toBe(2);
    expect(outcome.lines.join('\n')).toContain(message);
  });
});
