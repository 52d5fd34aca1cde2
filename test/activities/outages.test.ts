/** Distinguishes faults of the environment from faults of the work itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isOutage, outageOf } from '../../activities/outages.ts';
import { BlobStoreError } from '../../platform/blobs/createBlobStore.ts';
import { ThreadJobError } from '../../providers/builtin/threads/thread.ts';

const faultOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const coded = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'x' });

/** Connects to a host without PostgreSQL. */
async function connect(host: string): Promise<void> {
  await new pg.Client({ host, port: 1, database: 'x', user: 'x' }).connect();
}

describe('an outage', () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ['a server that refuses connections', () => connect('127.0.0.1'), 'the database'],
    ['a server whose name is not found', () => connect('no-such-host.invalid'), 'the database'],
    ['a socket that is not there', () => connect('/nowhere'), 'the database'],
    ['a disk without space', () => writeFile('/dev/full', 'x'), 'the disk'],
    [
      'a blob store that is away',
      () => Promise.reject(new BlobStoreError('x', { cause: coded('ECONNRESET') })),
      'the blob store',
    ],
  ])('is %s', async (_what, work, name) => {
    expect(outageOf(await faultOf(work()))).toBe(name);
  });

  it.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'])(
    'is recognised in %s of the disk, in this thread or another',
    (code) => {
      expect(outageOf(coded(code))).toBe('the disk');
      expect(outageOf(Object.assign(new ThreadJobError(code), { code, syscall: 'write' }))).toBe('the disk');
    },
  );

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EAI_AGAIN',
    'ENOTFOUND',
  ])('is recognised in %s of the network', (code) => {
    expect(isOutage(coded(code))).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a file that is missing', () => readFile('/not/there')],
    ['a file that is a folder', () => readFile('/')],
    ['a program that is missing', () => once(spawn('/not/there'), 'exit')],
    ['a refusal of the operating system', () => Promise.reject(coded('EPERM'))],
    ['a name that is too long', () => writeFile(`/dev/${'x'.repeat(300)}`, 'x')],
    ['a fault of the program', () => Promise.reject(new TypeError('x is not a function'))],
    ['something that is not an error', () => Promise.reject('ENOSPC' as unknown as Error)],
  ])('is not recognised in %s', async (_what, work) => {
    const fault = await faultOf(work());
    expect(fault).toBeDefined();
    expect(isOutage(fault)).toBe(false);
  });
});
