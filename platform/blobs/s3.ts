/** Stores blobs in a bucket of Amazon S3, or of any server with the same API. */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, NoSuchKey, S3Client, S3ServiceException, type S3ClientConfig } from '@aws-sdk/client-s3';
import { S3Driver } from 'flydrive/drivers/s3';
import { withWorkFolder } from '../disk/workDir.ts';
import { checkKey } from './checkKey.ts';
import type { S3Settings } from './blobSettings.ts';
import { BlobStoreError, type BlobStore } from './types.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum time without a byte in either direction. */
const IDLE_TIMEOUT_MS = 30_000;
/** Maximum number of blobs fetched at a time for one caller. */
const DOWNLOADS = 4;

/** @param workDir scratch folder, swept when the process starts (platform/disk/workDir.ts) */
export function createS3BlobStore(settings: S3Settings, workDir: string): BlobStore {
  const client = new S3Client(clientConfig(settings));
  // Current buckets have no access lists, and many servers never had them: a blob is as private as its bucket.
  const driver = new S3Driver({ client, bucket: settings.bucket, visibility: 'private', supportsACL: false });

  const get = createGet(client, settings.bucket);

  function open(key: string, start = 0, length?: number): ReturnType<BlobStore['open']> {
    const last = length === undefined ? '' : start + length - 1;
    return get(key, start > 0 || length !== undefined ? { Range: `bytes=${start}-${last}` } : {});
  }

  return {
    open,
    async putFile(key, sourcePath) {
      checkKey(key);
      const source = createReadStream(sourcePath);
      try {
        // For a missing file, the request would wait for bytes until the silence timeout.
        await once(source, 'open');
        await driver.putStream(key, source);
      } catch (error) {
        throw asStoreError(error);
      } finally {
        // The server may refuse the request before the file is read to its end.
        source.destroy();
      }
    },
    async withLocalFiles(keys, use) {
      if (keys.length === 0) return use([]);
      await mkdir(workDir, { recursive: true });
      return withWorkFolder(workDir, async (folder) => {
        const files = keys.map((key, index) => ({ key, path: join(folder, `${index}-${key.split('/').at(-1)}`) }));
        await downloadAll(get, files);
        return use(files.map(({ path }) => path));
      });
    },
    async removeFolder(folder) {
      const prefix = `${checkKey(folder)}/`;
      await driver.deleteAll(prefix).catch((error: unknown) => {
        throw asStoreError(error);
      });
      // S3 reports refusals of single blobs in its response, which flydrive ignores.
      const { objects } = await driver.listAll(prefix, { recursive: true });
      if ([...objects].length > 0) throw new Error('S3 did not remove every blob of a folder');
    },
  };
}

type Get = (key: string, range: { Range?: string }, abortSignal?: AbortSignal) => ReturnType<BlobStore['open']>;

/** flydrive only reads whole blobs, and does not return their sizes. */
function createGet(client: S3Client, bucket: string): Get {
  return async (key, range, abortSignal) => {
    try {
      const { Body, ContentLength } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: checkKey(key), ...range }),
        { ...(abortSignal && { abortSignal }) },
      );
      if (!(Body instanceof Readable) || ContentLength === undefined)
        throw new Error('S3 answered without a body or its length');
      return { stream: Body, size: ContentLength };
    } catch (error) {
      if (error instanceof NoSuchKey || isBeyondEnd(error)) return null;
      throw asStoreError(error);
    }
  };
}

interface LocalCopy {
  key: string;
  path: string;
}

/** Downloads a few blobs at a time. The first failure ends the others. */
async function downloadAll(get: Get, copies: readonly LocalCopy[]): Promise<void> {
  const stop = new AbortController();
  for (let start = 0; start < copies.length; start += DOWNLOADS) {
    const current = copies.slice(start, start + DOWNLOADS).map((copy) => download(get, copy, stop.signal));
    try {
      await Promise.all(current);
    } catch (error) {
      stop.abort();
      await Promise.allSettled(current);
      throw error;
    }
  }
}

async function download(get: Get, { key, path }: LocalCopy, signal: AbortSignal): Promise<void> {
  const blob = await get(key, {}, signal);
  if (!blob) throw new Error('there is no such blob');
  await pipeline(storeBytes(addAbortSignal(signal, blob.stream)), createWriteStream(path));
}

/** Reads the bytes of a blob, and marks errors of reading as errors of the store. Errors of writing are not. */
async function* storeBytes(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw asStoreError(error);
  }
}

function isBeyondEnd(error: unknown): boolean {
  return (
    error instanceof S3ServiceException && (error.name === 'InvalidRange' || error.$metadata.httpStatusCode === 416)
  );
}

/** Converts an error to one of the store, except for a missing local file. */
function asStoreError(error: unknown): Error {
  if (!(error instanceof Error)) return new BlobStoreError(String(error));
  const isLocal = (error as NodeJS.ErrnoException).code === 'ENOENT' && 'path' in error;
  return isLocal ? error : new BlobStoreError(`${error.name}: ${error.message}`, { cause: error });
}

function clientConfig({ region, endpoint, credentials, forcePathStyle }: S3Settings): S3ClientConfig {
  return {
    region,
    forcePathStyle,
    ...(endpoint !== null && { endpoint }),
    ...(credentials && { credentials }),
    // Many servers other than Amazon's do not know the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Errors are thrown; the client would also write them to stderr.
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
  };
}

function silent(): void {}
