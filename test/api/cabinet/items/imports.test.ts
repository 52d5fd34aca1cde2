/** POST and GET /projects/{id}/imports: what is stored, and that nothing is stored on a failure. */
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { storeChunk } from '../../../../db/jobs/imports.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { turnsUntil, withFakeTime } from '../../../support/jest/fakeTime.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

/** Longer than the API waits for the rest of a file that is too large. */
const REQUEST_MS = 3_000;
/** Shorter than the slow upload takes. */
const SILENCE_MS = 1_500;
const MAX_BYTES = 8 * 1024 * 1024;
const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };
const LINE = '{"id":"a","type":"text","title":"А"}\n';

let database: TestDatabase;
let api: TestApi;
let cabinet: Client;
let token: string;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({
    databaseUrl: database.url,
    uploadLimits: { maxBytes: MAX_BYTES, silenceMs: SILENCE_MS },
    requestTimeoutMs: REQUEST_MS,
  });
  token = await createTestToken(database.pool);
  cabinet = clientOf(api.cabinet, token);
});
afterAll(async () => {
  await api.close();
  await database.drop();
});
beforeEach(async () => {
  ({ id: projectId } = await createTestProject(database.pool));
});

const path = (): string => `/projects/${projectId}/imports`;

/** Reads every place where an upload may leave something. */
async function traces(): Promise<unknown> {
  const { rows } = await database.pool.query<{ count: number }>(
    'select (select count(*) from imports where project_id = $1)::int as count',
    [projectId],
  );
  const files = await readdir(api.blobDir, { recursive: true });
  return {
    rows: rows[0]?.count,
    blobs: files.filter((name) => name.includes(projectId)),
    work: await readdir(api.config.workDir),
  };
}
const NO_TRACES = { rows: 0, blobs: [], work: [] };

/** Uploads over a connection of its own. @returns the status, or the error of a broken connection */
function upload(headers: Record<string, string>, send: (body: ClientRequest) => void): Promise<number | string> {
  return new Promise((resolve) => {
    const body = httpRequest(
      `${api.cabinet}${path()}`,
      {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    body.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    send(body);
  });
}

describe('POST /projects/{id}/imports', () => {
  // proves: decisions-imports/file
  // proves: decisions-cabinet-calls/import-new
  it.each([
    ['application/x-ndjson', 'jsonl'],
    ['application/jsonl; charset=utf-8', 'jsonl'],
    ['text/csv; charset="UTF-8"', 'csv'],
  ])('accepts %s, and queues its import', async (type, format) => {
    const { status, body } = await cabinet('POST', path(), LINE, {
      headers: { 'content-type': type, 'x-request-id': 'import-1' },
    });
    expect([status, body]).toEqual([
      202,
      {
        id: expect.any(String),
        state: 'queued',
        format,
        lines: 0,
        done: 0,
        failed: 0,
        progress: 0,
        created_at: expect.any(String),
        finished_at: null,
      },
    ]);
    const { rows } = await database.pool.query(
      'select kind, entity_id, priority, request_id from outbox where project_id = $1',
      [projectId],
    );
    expect(rows).toEqual([{ kind: 'import', entity_id: body.id, priority: 3, request_id: 'import-1' }]);
    expect((await database.pool.query('select from jobs where project_id = $1', [projectId])).rowCount).toBe(1);
    const blob = await api.blobs.open(`imports/${projectId}/${body.id}/file`);
    expect(blob && (await text(blob.stream))).toBe(LINE);
    expect((await database.pool.query('select from blob_garbage where project_id = $1', [projectId])).rowCount).toBe(0);
    expect(await readdir(api.config.workDir)).toEqual([]);
  });

  it('accepts files larger than any other body may be, even of unknown length', async () => {
    const status = await upload({ 'transfer-encoding': 'chunked' }, (body) => {
      for (let sent = 0; sent < MAX_BYTES; sent += 1024 * 1024) body.write(Buffer.alloc(1024 * 1024, 'x'));
      body.end();
    });
    expect(status).toBe(202);
    const { rows } = await database.pool.query('select bytes::int from imports where project_id = $1', [projectId]);
    expect(rows).toEqual([{ bytes: MAX_BYTES }]);
  });

  it.each([
    ['announced', { 'content-length': String(MAX_BYTES + 1) }],
    ['known only once it has arrived', { 'transfer-encoding': 'chunked' }],
  ])('refuses a file over the limit whose length is %s', async (_name, headers) => {
    expect(await upload(headers, (body) => body.end(Buffer.alloc(MAX_BYTES + 1, 'x')))).toBe(413);
    expect(await traces()).toEqual(NO_TRACES);
  });

  it('answers Expect: 100-continue only when the headers are valid', async () => {
    const fine = await upload({ expect: '100-continue', 'content-length': '8' }, (body) =>
      body.once('continue', () => body.end('id,type\n')).flushHeaders(),
    );
    expect(fine).toBe(202);
    let asked = false;
    const refused = await upload({ expect: '100-continue', 'content-length': String(MAX_BYTES + 1) }, (body) =>
      body.once('continue', () => (asked = true)).flushHeaders(),
    );
    expect([refused, asked]).toEqual([413, false]);
  });

  it.each([
    ['another type', { 'content-type': 'application/json' }],
    ['another charset', { 'content-type': 'text/csv; charset=windows-1251' }],
    ['a compressed body', { 'content-type': 'text/csv', 'content-encoding': 'gzip' }],
  ])('refuses %s', async (_name, headers) => {
    expect((await cabinet('POST', path(), LINE, { headers })).status).toBe(400);
    expect(await traces()).toEqual(NO_TRACES);
  });

  it('refuses an empty body, and a project that does not exist', async () => {
    const empty = await cabinet('POST', path(), '', NDJSON);
    expect([empty.status, empty.body.error.details]).toEqual([
      422,
      [expect.objectContaining({ field: '', code: 'required' })],
    ]);
    expect((await cabinet('POST', '/projects/000000000000/imports', LINE, NDJSON)).status).toBe(404);
    expect(await traces()).toEqual(NO_TRACES);
  });

  it('lets at most ten imports wait, even if more come at once, and accepts another when one has ended', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => cabinet('POST', path(), LINE, NDJSON)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(202),
      ...Array<number>(4).fill(422),
    ]);
    const refused = await cabinet('POST', path(), LINE, NDJSON);
    expect([refused.status, refused.body.error.details]).toEqual([
      422,
      [expect.objectContaining({ field: '', code: 'invalid_value' })],
    ]);
    const id: string = answers.find(({ status }) => status === 202)?.body.id;
    await storeChunk(
      database.pool,
      { projectId, entityId: id },
      { failed: 0 },
      { next: { offset: LINE.length, line: 2 }, layout: null, done: 1, errors: [], end: 'done' },
    );
    expect((await cabinet('POST', path(), LINE, NDJSON)).status).toBe(202);
    const other = await createTestProject(database.pool);
    expect((await cabinet('POST', `/projects/${other.id}/imports`, LINE, NDJSON)).status).toBe(202);
  });

  it('leaves nothing of an upload that breaks off', async () => {
    expect(
      await upload({ 'content-length': '1000' }, (body) => {
        body.write('half of it');
        body.once('socket', (socket) => socket.once('connect', () => setImmediate(() => body.destroy())));
      }),
    ).toBe('ECONNRESET');
    await eventually(() => api.log.some((entry) => entry['status'] === 499), 'the log of the broken upload');
    // The connection is logged when it breaks, and its files are removed afterwards.
    await eventually(async () => isDeepStrictEqual(await traces(), NO_TRACES), 'nothing left of it');
  });

  it('abandons an upload that has stopped', async () => {
    expect(await upload({ 'content-length': '1000' }, (body) => body.write('half of it'))).toBe(408);
    expect(await traces()).toEqual(NO_TRACES);
  });
});

describe('while the blob store is unavailable', () => {
  it('an upload gets 503, and nothing is stored that would never be imported', async () => {
    const away = await startTestApi({
      databaseUrl: database.url,
      env: {
        BLOB_STORE: 's3',
        S3_BUCKET: 'b',
        S3_ENDPOINT: 'http://127.0.0.1:9',
        S3_ACCESS_KEY_ID: 'a',
        S3_SECRET_ACCESS_KEY: 'b',
        S3_FORCE_PATH_STYLE: 'true',
      },
    });
    const { status, headers } = await clientOf(away.cabinet, token)('POST', path(), LINE, NDJSON);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(away.log.some((entry) => entry['msg'] === 'the blob store is unavailable')).toBe(true);
    expect(await readdir(away.config.workDir)).toEqual([]);
    expect((await database.pool.query('select from imports where project_id = $1', [projectId])).rowCount).toBe(0);
    expect((await database.pool.query('select from jobs where project_id = $1', [projectId])).rowCount).toBe(0);
    await away.close();
  });
});

describe('a client', () => {
  /**
   * Sends the head of a request, then a byte now and then.
   * @returns the answer's status once the server has closed the connection
   */
  async function trickle(head: string): Promise<number> {
    const { port } = new URL(api.origin);
    const socket = connect(Number(port), '127.0.0.1');
    const drip = setInterval(() => socket.write('x'), 20);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString())).on('error', () => {});
    socket.write(
      `${head}\r\nhost: attune.test\r\nauthorization: Bearer ${token}\r\ncontent-type: text/csv\r\ncontent-length: 1000000\r\n\r\n`,
    );
    // `once` would treat the reset that the unsent rest causes as a failure.
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(drip);
    return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);
  }

  it('is disconnected if it keeps sending after the answer to its upload', async () => {
    expect(await trickle('POST /cabinet/api/projects/000000000000/imports HTTP/1.1')).toBe(404);
  });

  it('is disconnected within the time of any request if it keeps sending to an address that accepts no uploads', async () => {
    expect(await trickle('POST /nowhere HTTP/1.1')).toBe(404);
  });

  it('may take longer than any other request as long as its upload progresses', async () => {
    const drips = 12;
    const asked = once(api.server.server, 'request') as Promise<[IncomingMessage]>;
    await withFakeTime(['setTimeout', 'clearTimeout'], async (pass) => {
      const body = Promise.withResolvers<ClientRequest>();
      const status = upload({ 'content-length': String(drips) }, body.resolve);
      const client = await body.promise;
      client.flushHeaders();
      const endedEarly = status.then((early): never => {
        throw new Error(`the upload ended with ${early}`);
      });
      const [incoming] = await Promise.race([asked, endedEarly]);
      // The upload is read from now on; until then the time limit of a request would end it.
      await turnsUntil(() => incoming.listenerCount('readable') > 0, 'a reader of the upload', incoming.socket);
      const before = incoming.socket.bytesRead;
      for (let sent = 1; sent <= drips; sent += 1) {
        client.write('x');
        await turnsUntil(() => incoming.socket.bytesRead >= before + sent, `byte ${sent}`, incoming.socket);
        await pass(REQUEST_MS / 10);
      }
      client.end();
      expect(await status).toBe(202);
    });
  });
});

describe('GET /projects/{id}/imports', () => {
  it('lists imports, newest first, page by page, of this project only', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await cabinet('POST', path(), LINE, NDJSON)).body.id);
    const first = await cabinet('GET', `${path()}?limit=2`);
    const second = await cabinet('GET', `${path()}?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.items, ...second.body.items].map((each: { id: string }) => each.id)).toEqual(ids);
    expect(second.body.next_cursor).toBeNull();
    const other = await createTestProject(database.pool);
    expect((await cabinet('GET', `/projects/${other.id}/imports`)).body.items).toEqual([]);
    expect((await cabinet('GET', `/projects/${other.id}/imports/${ids[0]}`)).status).toBe(404);
  });

  // proves: decisions-imports/progress, decisions-imports/errors
  // proves: decisions-cabinet-calls/import
  it('shows the progress of an import, and describes the faults of its lines in words', async () => {
    const {
      body: { id },
    } = await cabinet('POST', path(), LINE.repeat(4), NDJSON);
    await storeChunk(
      database.pool,
      { projectId, entityId: id },
      { failed: 0 },
      {
        next: { offset: LINE.length * 2, line: 3 },
        layout: null,
        done: 1,
        end: null,
        errors: [
          {
            line: 2,
            itemId: 'ж',
            code: 'validation_failed',
            faults: [
              { field: 'title', code: 'too_long', limit: 1000 },
              { field: 'x', code: 'of_tomorrow' },
            ],
          },
        ],
      },
    );
    const { status, body } = await cabinet('GET', `${path()}/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'running', lines: 2, done: 1, failed: 1 });
    expect(body.progress).toBeCloseTo(0.5, 1);
    expect(body.errors).toEqual([
      {
        line: 2,
        id: 'ж',
        code: 'validation_failed',
        message: 'Поля объекта не прошли проверку',
        details: [
          { field: 'title', code: 'too_long', message: 'Слишком длинное значение: предел 1000', limit: 1000 },
          { field: 'x', code: 'of_tomorrow', message: 'of_tomorrow' },
        ],
      },
    ]);
  });
});
