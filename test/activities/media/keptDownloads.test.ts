/** A worker that is killed while it processes a medium does not make the next one download it again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { adoptDownloads, keepDownload, markWhole, takeKept } from '../../../activities/media/keptDownloads.ts';
import { openWorkshop, processesNaming, type Workshop } from './samples.ts';

let workshop: Workshop;
let workDir: string;
let host: Server;
let asked = 0;

beforeAll(async () => {
  workshop = await openWorkshop();
  workDir = await mkdtemp(join(tmpdir(), 'attune-kept-'));
  await chmod(workDir, 0o755);
  await workshop.make('-f lavfi -i testsrc2=s=1280x720:r=30:d=20 -c:v libx264 -preset ultrafast -g 30 video.mkv');
  host = createServer((_request, response) => {
    asked += 1;
    createReadStream(workshop.path('video.mkv')).pipe(response);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  host.close();
  await workshop.close();
  await rm(workDir, { recursive: true, force: true });
});

function startWorker(mediumId: string, revision = 1): { child: ChildProcess; said: (word: string) => Promise<void> } {
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/video.mkv`;
  const entry = join(import.meta.dirname, 'fixtures/preparing.ts');
  const child = spawn(process.execPath, [entry, workDir, url, workshop.ffmpeg, mediumId, String(revision)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const said = (word: string) =>
    new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => line.startsWith(word) && resolve());
      lines.once('close', () => reject(new Error(`ended before it said ${word}`)));
    });
  return { child, said };
}

describe('a worker that is killed while it decodes', () => {
  it('leaves its download for the next worker, and no decoder', async () => {
    const mediumId = randomUUID();
    const first = startWorker(mediumId);
    await first.said('decoding');
    first.child.kill('SIGKILL');
    // The kernel needs a moment to end the decoder; the test's own timeout ends an endless wait.
    while ((await processesNaming(workDir)).length > 0) await new Promise(setImmediate);
    const second = startWorker(mediumId);
    await Promise.all([second.said('done'), once(second.child, 'exit')]);
    expect(asked).toBe(1);
    expect((await readdir(workDir)).filter((name) => name !== 'kept')).toEqual([]);
  });
});

describe('kept downloads', () => {
  const folderOf = async (mediumId: string | null): Promise<string> => {
    const folder = await mkdtemp(join(workDir, 'x-'));
    await writeFile(join(folder, 'medium'), mediumId ?? 'half');
    if (mediumId !== null) await markWhole(folder, { mediumId, revision: 1 });
    return folder;
  };

  it('are not used by a later preparation, which has to fetch the current file', async () => {
    const mediumId = randomUUID();
    const before = asked;
    const first = startWorker(mediumId);
    await first.said('decoding');
    first.child.kill('SIGKILL');
    while ((await processesNaming(workDir)).length > 0) await new Promise(setImmediate);
    const second = startWorker(mediumId, 2);
    await Promise.all([second.said('done'), once(second.child, 'exit')]);
    expect(asked - before).toBe(2);
    await rm(join(workDir, 'kept'), { recursive: true });
  });

  it('are complete, and each is used once', async () => {
    const id = randomUUID();
    await keepDownload(workDir, await folderOf(null));
    await keepDownload(workDir, await folderOf(id));
    const folder = await mkdtemp(join(workDir, 'x-'));
    expect(await takeKept(workDir, { mediumId: id, revision: 2 }, folder)).toBe(false);
    expect(await takeKept(workDir, { mediumId: id, revision: 1 }, folder)).toBe(true);
    expect(await readFile(join(folder, 'medium'), 'utf8')).toBe(id);
    expect(await takeKept(workDir, { mediumId: id, revision: 1 }, folder)).toBe(false);
    expect(await readdir(join(workDir, 'kept'))).toEqual([]);
  });

  it('are not used after an hour, when the step has been deferred and begins anew', async () => {
    const id = randomUUID();
    await keepDownload(workDir, await folderOf(id));
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 61 * 60_000);
    const folder = await mkdtemp(join(workDir, 'x-'));
    expect(await takeKept(workDir, { mediumId: id, revision: 1 }, folder)).toBe(false);
    clock.mockRestore();
    expect(await readdir(join(workDir, 'kept'))).toEqual([]);
  });

  it('are limited in number', async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    for (const id of ids) await keepDownload(workDir, await folderOf(id));
    expect((await readdir(join(workDir, 'kept'))).length).toBe(4);
    await adoptDownloads(join(workDir, 'nothing-there'));
  });
});
