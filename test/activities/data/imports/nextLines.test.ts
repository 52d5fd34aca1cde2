/** Imports over a real database take effect exactly once, whatever is killed or repeated in between. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { importNextLines, type ImportDeps } from '../../../../activities/data/imports/nextLines.ts';
import { createBlobStore } from '../../../../platform/blobs/createBlobStore.ts';
import type { BlobSettings } from '../../../../platform/blobs/blobSettings.ts';
import { updateProject } from '../../../../db/accounts/projects.ts';
import { announceBlobs } from '../../../../db/blobGarbage.ts';
import { findImport, insertImport, listImportErrors } from '../../../../db/jobs/imports.ts';
import { putProperty } from '../../../../db/items/properties.ts';
import { importBlobFolder } from '../../../../domain/jobs/ids.ts';
import { IMPORT_ERRORS, type ImportFormat, type ImportProgress } from '../../../../domain/jobs/imports.ts';
import { createLineValidator } from '../../../../domain/schemas/importLine.ts';
import { createValidators } from '../../../../domain/schemas/validation.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestProject } from '../../../support/project.ts';
import { createTestBucket } from '../../../support/servers/s3.ts';

const validate = createLineValidator(createValidators({ isMediaUrl: () => true }));
let database: TestDatabase;
let folder: string;
let projectId: string;
let local: ImportDeps;

const depsOf = (settings: BlobSettings): ImportDeps => ({
  pool: database.pool,
  blobs: createBlobStore(settings, join(folder, 'work')),
  validate,
});

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'attune-imports-'));
  local = depsOf({ kind: 'local', dir: join(folder, 'blobs') });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});

/** Does what the intake does with a file. */
async function accept(content: string | Buffer, { format = 'jsonl' as ImportFormat, deps = local } = {}) {
  const path = join(folder, 'upload');
  await writeFile(path, content);
  const id = uuidv7();
  const blobKey = `${importBlobFolder(projectId, id)}/file`;
  await announceBlobs(database.pool, { projectId, folder: importBlobFolder(projectId, id) });
  await deps.blobs.putFile(blobKey, path);
  await insertImport(database.pool, {
    projectId,
    id,
    format,
    blobKey,
    bytes: Buffer.byteLength(content),
    requestId: 'r',
  });
  return { projectId, entityId: id };
}

type Ref = Awaited<ReturnType<typeof accept>>;

async function finish(ref: Ref, deps = local): Promise<ImportProgress> {
  for (;;) {
    const progress = await importNextLines(deps, ref);
    if (progress.state === 'done' || progress.state === 'failed') return progress;
  }
}

const count = async (sql: string): Promise<number> =>
  (await database.pool.query<{ n: number }>(`select count(*)::int as n from ${sql} where project_id = $1`, [projectId]))
    .rows[0]?.n ?? -1;
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const texts = (many: number): string =>
  Array.from({ length: many }, (_, n) =>
    line({ id: `i${n}`, type: 'text', title: `Урок ${n}`, body: 'Первое предложение. Второе.' }),
  ).join('');

describe('an import', () => {
  // proves: decisions-imports/progress
  it.each(['local', 's3'])(
    'of 1,201 lines from a store of the kind %s takes three chunks, after which the job is closed',
    async (kind) => {
      const deps = kind === 'local' ? local : depsOf({ kind: 's3', ...(await createTestBucket()) });
      const ref = await accept(texts(1_201), { deps });
      expect(await importNextLines(deps, ref)).toMatchObject({ state: 'running', done: 500, failed: 0, percent: 41 });
      expect(await importNextLines(deps, ref)).toMatchObject({ state: 'running', done: 1_000, percent: 82 });
      expect(await importNextLines(deps, ref)).toEqual({ state: 'done', done: 1_201, failed: 0, percent: 100 });
      expect(await count('items')).toBe(1_201);
      expect(await count('jobs')).toBe(0);
      const { rows } = await database.pool.query(
        'select distinct kind, priority, request_id from outbox where project_id = $1 order by kind',
        [projectId],
      );
      expect(rows).toEqual([
        { kind: 'import', priority: 3, request_id: 'r' },
        { kind: 'item', priority: 4, request_id: 'r' },
      ]);
      const garbage = await database.pool.query(
        'select folder, round(extract(epoch from after - now()) / 86400)::int as days from blob_garbage where project_id = $1',
        [projectId],
      );
      expect(garbage.rows).toEqual([{ folder: importBlobFolder(projectId, ref.entityId), days: 7 }]);
    },
  );

  it('reads nothing while its project is suspended or its client blocked, and continues afterwards', async () => {
    const ref = await accept(texts(501));
    await importNextLines(local, ref);
    const paused = { state: 'running', done: 500, failed: 0, percent: 99, isPaused: true };
    await updateProject(database.pool, projectId, { state: 'suspended' });
    expect(await importNextLines(local, ref)).toEqual(paused);
    await updateProject(database.pool, projectId, { state: 'active' });
    const setClient = async (state: string) =>
      await database.pool.query(
        'update clients set state = $2 where id = (select client_id from projects where id = $1)',
        [projectId, state],
      );
    await setClient('blocked');
    expect(await importNextLines(local, ref)).toEqual(paused);
    expect(await count('items')).toBe(500);
    await setClient('active');
    expect(await importNextLines(local, ref)).toEqual({ state: 'done', done: 501, failed: 0, percent: 100 });
  });

  it('that has ended does nothing when it is run again, even without its file', async () => {
    const ref = await accept(texts(3));
    const first = await finish(ref);
    await local.blobs.removeFolder(importBlobFolder(projectId, ref.entityId));
    expect(await importNextLines(local, ref)).toEqual(first);
    expect(await findImport(database.pool, ref)).toMatchObject({ state: 'done', done: 3 });
  });

  it('whose file disappears before its end fails as a whole', async () => {
    const ref = await accept(texts(501));
    await importNextLines(local, ref);
    await local.blobs.removeFolder(importBlobFolder(projectId, ref.entityId));
    expect(await finish(ref)).toMatchObject({ state: 'failed', done: 500, failed: 1 });
    expect(await listImportErrors(database.pool, ref)).toEqual([
      { line: 501, itemId: null, code: 'file_lost', faults: [] },
    ]);
    expect(await count('jobs')).toBe(0);
  });

  it.each(['local', 's3'])(
    'whose file in a store of the kind %s becomes shorter fails as a whole instead of running forever',
    async (kind) => {
      const deps = kind === 'local' ? local : depsOf({ kind: 's3', ...(await createTestBucket()) });
      const ref = await accept(texts(501), { deps });
      await writeFile(join(folder, 'upload'), texts(500));
      await deps.blobs.putFile(`${importBlobFolder(projectId, ref.entityId)}/file`, join(folder, 'upload'));
      expect(await importNextLines(deps, ref)).toMatchObject({ state: 'running', done: 500 });
      expect(await importNextLines(deps, ref)).toMatchObject({ state: 'failed', done: 500, failed: 1 });
      expect(await listImportErrors(database.pool, ref)).toEqual([
        { line: 501, itemId: null, code: 'file_lost', faults: [] },
      ]);
      expect(await count('jobs')).toBe(0);
    },
  );

  it('that fails as a whole says why, however many errors there were before', async () => {
    const ref = await accept('{"id":1}\n'.repeat(IMPORT_ERRORS + 500));
    for (let chunk = 0; chunk < 2; chunk += 1) await importNextLines(local, ref);
    await local.blobs.removeFolder(importBlobFolder(projectId, ref.entityId));
    expect(await finish(ref)).toMatchObject({ state: 'failed', failed: IMPORT_ERRORS + 1 });
    const errors = await listImportErrors(database.pool, ref);
    expect([errors.length, errors.at(-1)]).toEqual([
      IMPORT_ERRORS + 1,
      { line: IMPORT_ERRORS + 1, itemId: null, code: 'file_lost', faults: [] },
    ]);
  });

  it('with lines longer than one read from the store is read completely', async () => {
    const ref = await accept(
      Array.from({ length: 3 }, (_, n) => line({ id: `i${n}`, type: 'text', body: 'ж'.repeat(900_000) })).join(''),
    );
    expect(await finish(ref)).toMatchObject({ state: 'done', done: 3, failed: 0 });
  });

  it('that does not exist counts as failed', async () => {
    expect(await importNextLines(local, { projectId, entityId: uuidv7() })).toMatchObject({ state: 'failed' });
  });

  it('that four workers run at once counts every line once', async () => {
    const ref = await accept(texts(2_600));
    const progresses = await Promise.all(Array.from({ length: 4 }, () => finish(ref)));
    expect(new Set(progresses.map(({ done }) => done))).toEqual(new Set([2_600]));
    expect(await findImport(database.pool, ref)).toMatchObject({ done: 2_600, failed: 0 });
    expect(await count('items')).toBe(2_600);
  });

  it('counts all errors, and keeps the first thousand with their lines', async () => {
    const ref = await accept(
      Array.from({ length: 1_502 }, (_, n) =>
        n % 751 === 0 ? line({ id: `i${n}`, type: 'text' }) : '{"id":1}\n',
      ).join(''),
    );
    expect(await finish(ref)).toMatchObject({ state: 'done', done: 2, failed: 1_500 });
    const errors = await listImportErrors(database.pool, ref);
    expect(errors).toHaveLength(IMPORT_ERRORS);
    expect(errors.map((error) => error.line)).toEqual(
      Array.from({ length: 1_502 }, (_, n) => n + 1)
        .filter((n) => (n - 1) % 751 !== 0)
        .slice(0, IMPORT_ERRORS),
    );
    expect(await count('import_errors')).toBe(IMPORT_ERRORS);
  });

  it('checks declared properties against their types, and uses the later one of two lines with the same id', async () => {
    await putProperty(database.pool, projectId, { name: 'level', type: 'number', filterable: true });
    const ref = await accept(
      line({ id: 'a', type: 'text', properties: { level: 'B1' } }) +
        line({ id: 'b', type: 'text', title: 'first' }) +
        line({ id: 'b', type: 'text', title: 'second' }),
    );
    expect(await finish(ref)).toMatchObject({ done: 2, failed: 1 });
    expect(await listImportErrors(database.pool, ref)).toEqual([
      {
        line: 1,
        itemId: 'a',
        code: 'validation_failed',
        faults: [{ field: 'properties.level', code: 'invalid_type' }],
      },
    ]);
    const { rows } = await database.pool.query('select id, title, origin from items where project_id = $1', [
      projectId,
    ]);
    expect(rows).toEqual([{ id: 'b', title: 'second', origin: 'import' }]);
  });

  it('stores faults with characters that PostgreSQL refuses', async () => {
    const ref = await accept('{"id":"a","type":"text","k\\u0000\\ud800":1}\n');
    expect(await finish(ref)).toMatchObject({ failed: 1 });
    expect(await listImportErrors(database.pool, ref)).toMatchObject([
      { line: 1, faults: [{ field: expect.stringContaining('k') }] },
    ]);
  });

  it('of a CSV file continues in the middle with the header that was read at first', async () => {
    const rows = Array.from({ length: 700 }, (_, n) => `i${n};text;"строка\nвторая ""${n}"""`).join('\r\n');
    const ref = await accept(`id;type;title\r\n${rows}\r\n`, { format: 'csv' });
    expect(await finish(ref)).toMatchObject({ state: 'done', done: 700, failed: 0 });
    const { rows: last } = await database.pool.query("select title from items where project_id = $1 and id = 'i699'", [
      projectId,
    ]);
    expect(last).toEqual([{ title: 'строка\nвторая "699"' }]);
  });
});

describe('an import of 20,000 lines', () => {
  /**
   * The shortest time between two chunks so far, in milliseconds; it bounds the delay before a kill, or a fast
   * machine would finish first.
   */
  let pace = Number.POSITIVE_INFINITY;

  /** Runs the loop, and kills it a moment after `chunks` chunks or lets it finish. */
  async function runAndKill(ref: Ref, chunks: number | null): Promise<number | null> {
    const script = join(import.meta.dirname, '../fixtures/importLoop.ts');
    const { NODE_OPTIONS: _forJestOnly, ...env } = process.env;
    const child = spawn(process.execPath, [script, database.url, join(folder, 'blobs'), ref.projectId, ref.entityId], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    });
    let seen = 0;
    let last = Number.NEGATIVE_INFINITY;
    createInterface({ input: child.stdout }).on('line', () => {
      seen += 1;
      pace = Math.min(pace, performance.now() - last);
      last = performance.now();
      // Kills it anywhere within the next chunk.
      if (seen === chunks) setTimeout(() => child.kill('SIGKILL'), Math.random() * pace);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  }

  // proves: decisions-imports/resumable
  it('whose process is killed repeatedly finishes completely, with every line counted once', async () => {
    const good = texts(19_990).split('\n').slice(0, -1);
    const lines = good.flatMap((each, index) => (index % 1_999 === 0 ? [each, '{"id":'] : [each]));
    const ref = await accept(lines.map((each) => `${each}\n`).join(''));
    for (const chunks of [2, 1, 1, 4, 3, 5, 1]) expect(await runAndKill(ref, chunks)).toBeNull();
    expect(await findImport(database.pool, ref)).toMatchObject({ state: 'running' });
    expect(await runAndKill(ref, null)).toBe(0);
    expect(await findImport(database.pool, ref)).toMatchObject({ state: 'done', done: 19_990, failed: 10 });
    expect(await count('items')).toBe(19_990);
    expect(await count('jobs')).toBe(0);
    const errors = await listImportErrors(database.pool, ref);
    expect(errors.map((error) => error.line)).toEqual(Array.from({ length: 10 }, (_, n) => n * 2_000 + 2));
  });
});
