/** ops/backup.sh while the service adds and removes files, with the real tar. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bareEnv } from '../support/programs/bareEnv.ts';
import { ROOT } from './support/compose.ts';

const run = promisify(execFile);
/** Enough for tar to be at work while files appear beside them. */
const FILES = 300;
const BYTES = Buffer.alloc(100_000, 'x');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-backup-'));
  for (const name of ['bin', 'lake', 'blobs']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'bin', 'pg_dump'), '#!/bin/sh\necho dump\n', { mode: 0o755 });
  await copyFile(join(ROOT, 'test/ops/fixtures/docker'), join(folder, 'bin', 'docker'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function backup(given: Record<string, string> = {}): Promise<void> {
  const env = {
    ...bareEnv(),
    PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
    CALLS: join(folder, 'calls'),
    ROOT,
    // The commands of the API need a database, which is not what is tried here.
    NODE: 'true',
    TOOLS: join(folder, 'bin'),
    VOLUMES: folder,
    ...given,
  };
  await run(join(ROOT, 'ops/backup.sh'), [join(folder, 'backup')], { env, cwd: folder });
}

const filesIn = async (archive: string): Promise<string[]> =>
  (await run('tar', ['-tf', join(folder, 'backup', archive)])).stdout.split('\n');

describe('a backup', () => {
  it('is complete although files are added to the lake and the blobs while they are copied', async () => {
    for (const volume of ['lake', 'blobs'])
      for (let number = 0; number < FILES; number += 1) await writeFile(join(folder, volume, `old${number}`), BYTES);
    let isOver = false;
    const write = async (): Promise<void> => {
      for (let number = 0; !isOver; number += 1)
        for (const volume of ['lake', 'blobs']) await writeFile(join(folder, volume, `new${number}`), '');
    };
    const writing = write();
    await backup().finally(() => (isOver = true));
    await writing;
    for (const archive of ['lake.tar', 'blobs.tar']) {
      const names = await filesIn(archive);
      expect(names.filter((name) => name.startsWith('./old'))).toHaveLength(FILES);
    }
  });

  it('copies the volumes of the project that Compose runs, wherever its name is set', async () => {
    await backup({ PROJECT: 'second' });
    const calls = await readFile(join(folder, 'calls'), 'utf8');
    expect([...calls.matchAll(/-v (\S+):\/from/g)].map(([, volume]) => volume)).toEqual([
      'second_lake',
      'second_blobs',
    ]);
  });

  it('fails if a volume cannot be read', async () => {
    await rm(join(folder, 'blobs'), { recursive: true });
    await expect(backup()).rejects.toThrow('Command failed');
    await expect(filesIn('blobs.tar')).rejects.toThrow('Command failed');
  });
});
