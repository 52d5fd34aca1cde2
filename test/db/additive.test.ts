/** The previous release can run on the tables after this release's additions, so that an upgrade can be undone. */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../db/migrate.ts';
import { readText } from '../ops/support/compose.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isAncestor, previousFiles, previousText } from '../support/previousRelease.ts';
import { changesBeyondAdditions, readSchema, type Schema } from './support/schema.ts';

/** By path from the root: changes that look like more than an addition, with the reason why each is one. */
const WAIVED: Record<string, string> = {
  'migrations/0089_session_ids.sql': 'the default of the unique column is a new id for each row',
};

/** Tables with a handful of rows for each project, whose indexes are built in no time. */
const SMALL_TABLES: ReadonlySet<string> = new Set(['webhooks']);

describe('the migrations of this release', () => {
  const paths = readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => `migrations/${name}`);
  let old: string[];
  let database: TestDatabase;
  let dir: string;

  beforeAll(async () => {
    old = await previousFiles('migrations');
    database = await createTestDatabase();
    await database.pool.query('drop schema public cascade; create schema public');
    dir = await mkdtemp(join(tmpdir(), 'attune-migrations-'));
  });
  afterAll(async () => {
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  async function applied(files: readonly string[]): Promise<Schema> {
    for (const path of files) await cp(path, join(dir, basename(path)));
    await migrate(database.url, dir);
    return readSchema(database.pool);
  }

  it('follow the previous release, which is in the history, and leave its migrations unchanged', async () => {
    expect(await isAncestor()).toBe(true);
    expect(old.length).toBeGreaterThan(30);
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const changed = await Promise.all(
      old.map(async (path) => (hash(await previousText(path)) === hash(readText(path)) ? [] : [path])),
    );
    expect(changed.flat()).toEqual([]);
  });

  it('only add things', async () => {
    const fresh = paths.filter((path) => !old.includes(path));
    const base = await applied(old);
    let before = base;
    const faults: string[] = [];
    for (const path of fresh) {
      const after = await applied([path]);
      const text = readText(path);
      const found = changesBeyondAdditions(base, before, after, {
        smallTables: SMALL_TABLES,
        buildsOpenly: text.startsWith('-- no transaction') && /\bindex\s+concurrently\b/i.test(text),
      });
      if (!(path in WAIVED) && !text.startsWith('-- not additive:'))
        faults.push(...found.map((fault) => `${path} ${fault}`));
      before = after;
    }
    expect(faults).toEqual([]);
    expect(Object.keys(WAIVED).filter((path) => !fresh.includes(path))).toEqual([]);
  });
});
