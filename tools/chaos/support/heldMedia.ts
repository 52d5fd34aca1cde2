/** Media of the load whose host starts a response and does not continue it. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { createGate, type MediaHost } from '../../../test/support/whole/mediaHost.ts';
import { CA_FILE } from '../../../test/support/whole/stack.ts';

/** Paths of the load's media. */
const PATHS = ['/image.png', '/video.mp4'];

export interface HeldMedia {
  /** Serves the medium to all pending and later requests. */
  release(): void;
}

export async function holdMedia(media: MediaHost): Promise<HeldMedia> {
  const gate = createGate();
  const ca = await readFile(CA_FILE);
  const contents = await Promise.all(PATHS.map((path) => download(media.url + path, ca)));
  for (const [index, path] of PATHS.entries()) {
    const content = contents[index] ?? Buffer.alloc(0);
    media.serve(path, (_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 100));
      void gate.opened.then(() => response.end(content.subarray(100)));
    });
  }
  return { release: gate.open };
}

function download(url: string, ca: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { ca }, (response) => void buffer(response).then(resolve, reject))
      .on('error', reject)
      .end();
  });
}
