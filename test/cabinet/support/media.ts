/** A media host like that of an integrator. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegPath } from '../../support/programs/ffmpeg.ts';

export const VIDEO_SECONDS = 12;

export interface MediaHost {
  /** A WebM of {@link VIDEO_SECONDS}, a format that every Chromium plays. */
  videoUrl: string;
  close(): Promise<void>;
}

export async function startMediaHost(): Promise<MediaHost> {
  const video = await makeVideo();
  const server = createServer((request, response) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const [first, last] = [Number(from), to === '' ? video.length - 1 : Number(to)];
    response.writeHead(206, {
      'Content-Type': 'video/webm',
      'Content-Length': last - first + 1,
      'Content-Range': `bytes ${first}-${last}/${video.length}`,
      'Accept-Ranges': 'bytes',
    });
    response.end(video.subarray(first, last + 1));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    videoUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lesson.webm`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function makeVideo(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'cabinet-media-'));
  const path = join(folder, 'lesson.webm');
  const picture = `testsrc=size=320x180:rate=5:duration=${VIDEO_SECONDS}`;
  const options = ['-loglevel', 'error', '-f', 'lavfi', '-i', picture, '-c:v', 'libvpx', '-g', '5', path];
  await promisify(execFile)(await ffmpegPath(), options);
  const video = await readFile(path);
  await rm(folder, { recursive: true });
  return video;
}
