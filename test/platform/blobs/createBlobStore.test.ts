/** The guarantees of every blob store, checked for the local one and the one on S3. */
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BlobStoreError, createBlobStore, type BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import type { BlobSettings, S3Settings } from '../../../platform/blobs/blobSettings.ts';
import { createSmallDisk, whyNoSmallDisk } from '../../../tools/chaos/support/smallDisk.ts';
import { sweepWorkDir } from '../../../platform/disk/workDir.ts';
import { createTestBucket } from '../../support/servers/s3.ts';

const whyNoDisk = await whyNoSmallDisk();

let s3: S3Settings;
let folder: string;
let blobs: BlobStore;
let source: string;

beforeAll(async () => {
  s3 = await createTestBucket();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-blobs-'));
  source = join(folder, 'source');
  await writeFile(source, 'содержимое');
});
afterEach(() => rm(folder, { recursive: true }));

const workDir = (): string => join(folder, 'work');
const local = (): BlobSettings => ({ kind: 'local', dir: join(folder, 'store') });
const STORES: [string, () => BlobSettings][] = [
  ['in a local folder', local],
  ['on S3', () => ({ kind: 's3', ...s3 })],
];

/** A separate file system on Linux. */
const MEMORY = '/dev/shm';
const isElsewhere = (path: string): boolean => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev;

async function contentOf(key: string, start?: number): Promise<string | null> {
  const blob = await blobs.open(key, start);
  return blob && text(blob.stream);
}

describe.each(STORES)('a blob %s', (name, settings) => {
  const folderOf = (key: string): string => `${name === 'on S3' ? 's3' : 'local'}/${key}`;

  beforeEach(() => {
    blobs = createBlobStore(settings(), workDir());
  });

  it('is found under its key, complete, with its size', async () => {
    const key = folderOf('media/p/m/1.jpg');
    await blobs.putFile(key, source);
    const blob = await blobs.open(key);
    expect(blob?.size).toBe(20);
    expect(blob && (await text(blob.stream))).toBe('содержимое');
    expect(await blobs.withLocalFiles([key], ([path]) => readFile(path ?? '', 'utf8'))).toBe('содержимое');
  });

  it('may be empty', async () => {
    await writeFile(source, '');
    await blobs.putFile(folderOf('empty'), source);
    expect(await contentOf(folderOf('empty'))).toBe('');
  });

  it('can be read from any byte on', async () => {
    await blobs.putFile(folderOf('ranged'), source);
    const blob = await blobs.open(folderOf('ranged'), 4);
    expect(blob?.size).toBe(16);
    expect(blob && (await text(blob.stream))).toBe('держимое');
  });

  it('can be read in parts of a given length, of which there are none after its end', async () => {
    const key = folderOf('parts');
    await blobs.putFile(key, source);
    const part = await blobs.open(key, 4, 6);
    expect(part?.size).toBe(6);
    expect(part && (await text(part.stream))).toBe('дер');
    const first = await blobs.open(key, 0, 4);
    expect(first && (await text(first.stream))).toBe('со');
    const last = await blobs.open(key, 16, 1_000);
    expect([last?.size, last && (await text(last.stream))]).toEqual([4, 'ое']);
    expect(await blobs.open(key, 20)).toBeNull();
    expect(await blobs.open(key, 21, 5)).toBeNull();
  });

  it('is replaced when it is stored again', async () => {
    await blobs.putFile(folderOf('a'), source);
    await writeFile(source, 'new');
    await blobs.putFile(folderOf('a'), source);
    expect(await contentOf(folderOf('a'))).toBe('new');
  });

  it('is null, and has no local file, if it does not exist', async () => {
    expect(await blobs.open(folderOf('none'))).toBeNull();
    await expect(blobs.withLocalFiles([folderOf('none')], ([path]) => readFile(path ?? ''))).rejects.toThrow(/no such/);
  });

  it('is available as a local file together with others, in the order of their keys', async () => {
    const keys = ['z', 'a', 'm', 'b', 'y', 'c'].map((each) => folderOf(`many/${each}`));
    for (const key of keys) {
      await writeFile(source, key);
      await blobs.putFile(key, source);
    }
    const read = await blobs.withLocalFiles(keys, (paths) => Promise.all(paths.map((path) => readFile(path, 'utf8'))));
    expect(read).toEqual(keys);
    expect(await blobs.withLocalFiles([], (paths) => Promise.resolve(paths))).toEqual([]);
  });

  it('is removed with its folder, and its neighbours stay', async () => {
    await blobs.putFile(folderOf('media/p/m1/a'), source);
    await writeFile(source, 'b');
    await blobs.putFile(folderOf('media/p/m10/b'), source);
    await blobs.removeFolder(folderOf('media/p/m1'));
    await blobs.removeFolder(folderOf('media/p/none'));
    expect(await blobs.open(folderOf('media/p/m1/a'))).toBeNull();
    expect(await contentOf(folderOf('media/p/m10/b'))).toBe('b');
  });

  it('is not created if its source is missing', async () => {
    await expect(blobs.putFile(folderOf('media/a'), join(folder, 'none'))).rejects.toThrow('ENOENT');
    expect(await blobs.open(folderOf('media/a'))).toBeNull();
  });

  it.each([
    '',
    '/',
    '/etc/passwd',
    '..',
    '../a',
    'a/..',
    'a/../b',
    'a//b',
    'a/',
    './a',
    '.hidden',
    'a/.hidden',
    'a\0b',
    'a\\b',
    'a b',
    'ä',
    'a\n',
  ])('cannot have the key %j, so nothing outside the store is ever touched', async (key) => {
    await mkdir(join(folder, 'store'), { recursive: true });
    await expect((async () => blobs.putFile(key, source))()).rejects.toThrow('not a blob key');
    await expect((async () => blobs.open(key))()).rejects.toThrow('not a blob key');
    await expect((async () => blobs.withLocalFiles([key], () => Promise.resolve()))()).rejects.toThrow(
      'not a blob key',
    );
    await expect((async () => blobs.removeFolder(key))()).rejects.toThrow('not a blob key');
  });
});

describe('a blob in a local folder', () => {
  beforeEach(() => {
    blobs = createBlobStore(local(), workDir());
  });

  it('is moved there, and readers of the old one can read it to its end', async () => {
    await blobs.putFile('a', source);
    expect(existsSync(source)).toBe(false);
    const before = await blobs.open('a');
    await writeFile(source, 'new');
    await blobs.putFile('a', source);
    expect(before && (await text(before.stream))).toBe('содержимое');
  });

  /** Returns the inodes that `work` syncs, in order. */
  async function syncedBy(work: () => Promise<void>): Promise<number[]> {
    const probe = await open(source);
    const sync = jest.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'sync');
    await probe.close();
    const order: Promise<number>[] = [];
    sync.mockImplementation(async function (this: FileHandle) {
      const found = this.stat();
      order.push(found.then(({ ino }) => ino));
      await found;
    });
    await work().finally(() => sync.mockRestore());
    return Promise.all(order);
  }

  const LEADING = ['imports/p/file', 'imports/p', 'imports', '.'];
  const inodesOf = (names: readonly string[]): Promise<number[]> =>
    Promise.all(names.map(async (name) => (await stat(join(folder, 'store', name))).ino));

  it('is synced with every folder above it, so that it survives a power cut', async () => {
    expect(await syncedBy(() => blobs.putFile('imports/p/file', source))).toEqual(await inodesOf(LEADING));
  });

  (isElsewhere(MEMORY) ? it : it.skip)(
    'is copied, synced and whole when it comes from another file system',
    async () => {
      const elsewhere = await mkdtemp(join(MEMORY, 'attune-blobs-'));
      await writeFile(join(elsewhere, 'source'), 'от соседа');
      const synced = await syncedBy(() => blobs.putFile('imports/p/file', join(elsewhere, 'source')));
      expect(synced.slice(1)).toEqual(await inodesOf(LEADING));
      expect(await contentOf('imports/p/file')).toBe('от соседа');
      expect([await readdir(elsewhere), await readdir(join(folder, 'store', 'imports', 'p'))]).toEqual([[], ['file']]);
      await rm(elsewhere, { recursive: true });
    },
  );

  it('leaves no partial file if its source is missing', async () => {
    await expect(blobs.putFile('media/a', join(folder, 'none'))).rejects.toThrow('ENOENT');
    expect(await readdir(join(folder, 'store', 'media'))).toEqual([]);
  });
});

describe('a blob on S3', () => {
  beforeEach(() => {
    blobs = createBlobStore({ kind: 's3', ...s3 }, workDir());
  });

  it('is a local file while it is used, in a folder that is swept after a crash', async () => {
    await blobs.putFile('used', source);
    const path = await blobs.withLocalFiles(['used'], async ([file = '']) => {
      expect((await stat(file)).size).toBe(20);
      return file;
    });
    expect(await readdir(workDir())).toEqual([]);
    // A folder left by a killed process has the same form, with the id of a process that does not exist.
    await mkdir(join(workDir(), '4194305-aBcDeF'));
    expect(dirname(path)).toMatch(new RegExp(`/${process.pid}-\\w{6}$`));
    await sweepWorkDir(workDir());
    expect(await readdir(workDir())).toEqual([]);
  });

  it('is removed from the disk even if its use fails', async () => {
    await blobs.putFile('used', source);
    await expect(blobs.withLocalFiles(['used'], () => Promise.reject(new Error('of the use')))).rejects.toThrow(
      'of the use',
    );
    expect(await readdir(workDir())).toEqual([]);
  });

  it('is not uploaded if its source is missing, because the request would wait half a minute for its bytes', async () => {
    let connections = 0;
    const server = createServer((request, response) => void request.resume().on('end', () => response.end()));
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const counting = createBlobStore(
      { kind: 's3', ...s3, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      workDir(),
    );
    await expect(counting.putFile('missing', join(folder, 'none'))).rejects.toThrow('ENOENT');
    await counting.putFile('there', source);
    server.closeAllConnections();
    server.close();
    expect(connections).toBe(1);
  });

  /** Requests a local file from a store on S3 whose server answers every request in the same way. */
  async function downloadFrom(answer: RequestListener, folderOfDownloads: string): Promise<unknown> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = createBlobStore({ kind: 's3', ...s3, endpoint }, folderOfDownloads);
    const fault = await store.withLocalFiles(['blob'], () => Promise.resolve(null)).catch((error: unknown) => error);
    server.closeAllConnections();
    server.close();
    return fault;
  }

  it('causes a fault of the store if its download is cut, and leaves no partial file', async () => {
    const fault = await downloadFrom((_, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write(Buffer.alloc(100_000), () => response.destroy());
    }, workDir());
    expect(fault).toBeInstanceOf(BlobStoreError);
    expect(await readdir(workDir())).toEqual([]);
  });

  it('ends the downloads beside it when its own fails, before its fault is reported', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    const server = createServer(async (request, response) => {
      if (request.url?.includes('endless')) {
        response.writeHead(200, { 'content-length': '1000000000' });
        for (const _ of Array.from({ length: 1_000 })) {
          if (response.closed) return;
          await new Promise((resolve) => response.write(Buffer.alloc(1_000_000), resolve));
          begun.resolve(response);
        }
        return;
      }
      await begun.promise;
      response.writeHead(403).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = createBlobStore({ kind: 's3', ...s3, endpoint }, workDir());
    const reading = store.withLocalFiles(['endless', 'refused'], () => Promise.resolve(null));
    await expect(reading).rejects.toBeInstanceOf(BlobStoreError);
    expect(await readdir(workDir())).toEqual([]);
    const endless = await begun.promise;
    if (!endless.closed) await once(endless, 'close');
    expect(endless.writableFinished).toBe(false);
    server.closeAllConnections();
    server.close();
  });

  // Without namespaces a test has no file system that it may fill.
  (whyNoDisk === null ? it : it.skip)(
    'causes a fault of the disk if the disk has no space for its download',
    async () => {
      const disk = await createSmallDisk(1);
      const fault = await downloadFrom((_, response) => response.end(Buffer.alloc(8_000_000)), disk.path);
      await disk.remove();
      expect(fault).toMatchObject({ code: 'ENOSPC' });
      expect(fault).not.toBeInstanceOf(BlobStoreError);
    },
  );

  it('is removed with its folder even if the folder has more blobs than one list of S3 returns', async () => {
    await writeFile(source, 'x');
    for (let start = 0; start < 1_050; start += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => blobs.putFile(`many/${start + index}`, source)));
    }
    await blobs.removeFolder('many');
    expect(await blobs.open('many/0')).toBeNull();
    expect(await blobs.open('many/1049')).toBeNull();
  });

  it('cannot be read by a stranger, nor from a server that is down', async () => {
    await blobs.putFile('private', source);
    const asStranger = createBlobStore(
      { kind: 's3', ...s3, credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'guessed' } },
      workDir(),
    );
    await expect(asStranger.open('private')).rejects.toThrow('signature');
    await expect(asStranger.putFile('private', source)).rejects.toThrow('signature');
    await expect(asStranger.removeFolder('private')).rejects.toThrow('signature');
    await expect(asStranger.open('private')).rejects.toBeInstanceOf(BlobStoreError);
    const away = createBlobStore({ kind: 's3', ...s3, endpoint: 'http://127.0.0.1:9' }, workDir());
    await expect(away.open('private')).rejects.toThrow('ECONNREFUSED');
    await expect(away.putFile('private', source)).rejects.toThrow('ECONNREFUSED');
  });
});
