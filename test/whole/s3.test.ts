/** A stack with its blobs on S3: analysis, display and imports use it, and nothing uses a folder. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { createPool } from '../../db/pool.ts';
import type { S3Settings } from '../../platform/blobs/blobSettings.ts';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { createTestBucket } from '../support/servers/s3.ts';
import { makeCatalogue, mediaBody, textBody, type Catalogue } from '../support/whole/catalogue.ts';
import { createContentClient, liftLimits, type ContentClient } from '../support/whole/client.ts';
import { startMediaHost, type MediaHost } from '../support/whole/mediaHost.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { workFolders } from '../support/whole/traces.ts';
import { until } from '../support/whole/until.ts';
import { PATIENT_POOL } from '../support/database.ts';

let bucket: S3Settings;
let stack: WholeStack;
let client: ContentClient;
let host: MediaHost;
let catalogue: Catalogue;

beforeAll(async () => {
  [catalogue, host, bucket] = await Promise.all([makeCatalogue(), startMediaHost(), createTestBucket()]);
  stack = await startStack({
    env: {
      BLOB_STORE: 's3',
      S3_BUCKET: bucket.bucket,
      S3_ENDPOINT: bucket.endpoint ?? '',
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: bucket.credentials?.accessKeyId ?? '',
      S3_SECRET_ACCESS_KEY: bucket.credentials?.secretAccessKey ?? '',
    },
  });
  client = createContentClient(stack);
  await liftLimits(stack);
});
afterAll(async () => {
  await stack?.stop();
  await cleanUp();
});

async function keysIn(prefix: string): Promise<string[]> {
  const s3 = new S3Client({
    ...bucket,
    endpoint: bucket.endpoint ?? '',
    credentials: bucket.credentials ?? { accessKeyId: '', secretAccessKey: '' },
  });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket.bucket, Prefix: prefix }));
  s3.destroy();
  return Contents.flatMap(({ Key }) => Key ?? []);
}

/** Lists the files that the stack's processes keep on the disk. */
async function localFiles(): Promise<string[]> {
  const blobs = await readdir(join(stack.dataDir, 'blobs'), { recursive: true }).catch(() => []);
  return [...blobs, ...(await workFolders(stack))];
}

describe('a stack with its blobs on S3', () => {
  it('analyses a video whose frames, sound and subtitles are stored there, and shows the frames from there', async () => {
    host.serve('/s3.mp4', catalogue.video);
    await client.putUntilAnswered('video', mediaBody('video', `${host.url}/s3.mp4`));
    const item = await client.finalOf('video');
    expect([item.status, item.processing]).toMatchObject([
      'ready',
      { prepare: 'done', speech: 'done', vision: 'done' },
    ]);
    expect((await keysIn('media/')).filter((key) => key.endsWith('.jpg')).length).toBeGreaterThan(0);
    const { frames } = await client.get('video', 'frames');
    const image = await fetch(frames?.[0]?.image_url ?? '');
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(Buffer.from(await image.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    expect(await localFiles()).toEqual([]);
  });

  /** Uploads lines of texts and an invalid one. @returns the id of the import */
  async function sendFile(prefix: string, many: number): Promise<string> {
    const lines = Array.from({ length: many }, (_, n) => JSON.stringify({ id: `${prefix}-${n}`, ...textBody(n) }));
    const response = await fetch(importsUrl(), {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/x-ndjson' },
      body: [...lines, '{"id":"bad"}'].join('\n'),
    });
    expect(response.status).toBe(202);
    return ((await response.json()) as { id: string }).id;
  }

  async function importUntilDone(id: string): Promise<unknown> {
    const look = async () =>
      (await (await fetch(`${importsUrl()}/${id}`, { headers: authorization() })).json()) as { state: string };
    return until('the import', look, ({ state }) => state === 'done');
  }

  const importsUrl = (): string => `${stack.dev.cabinet_url}/api/projects/${stack.dev.project.id}/imports`;
  const authorization = () => ({ authorization: `Bearer ${stack.dev.cabinet_token}` });

  it('imports a file stored there, line by line, and analyses its items', async () => {
    const id = await sendFile('few', 60);
    expect(await keysIn('imports/')).toEqual([`imports/${stack.dev.project.id}/${id}/file`]);
    expect(await importUntilDone(id)).toMatchObject({
      lines: 61,
      done: 60,
      failed: 1,
      progress: 1,
      errors: [{ line: 61, id: 'bad', details: [{ field: 'type', code: 'required' }] }],
    });
    expect((await client.finalOf('few-59')).status).toBe('ready');
    expect(await localFiles()).toEqual([]);
  });

  it('analyses a single item ahead of what was imported before it', async () => {
    const MANY = 1_200;
    const pool = createPool({
      databaseUrl: stack.dev.database_url,
      size: 1,
      applicationName: 'attune-test',
      ...PATIENT_POOL,
    });
    const countReady = async (): Promise<number> =>
      (
        await pool.query<{ ready: number }>(
          "select count(*)::int as ready from items where id like 'many-%' and status = 'ready'",
        )
      ).rows[0]?.ready ?? MANY;
    try {
      await importUntilDone(await sendFile('many', MANY));
      const before = await countReady();
      await client.putUntilAnswered('single', textBody('single'));
      expect((await client.finalOf('single')).status).toBe('ready');
      // If items were analysed in the order of the writes, it would have followed all waiting ones.
      expect(await countReady()).toBeLessThan((before + MANY) / 2);
    } finally {
      await pool.end();
    }
  });
});
