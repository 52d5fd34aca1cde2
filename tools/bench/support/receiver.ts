/** An HTTPS server that receives webhooks and serves files, with the certificates of the tests. */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';

const FIXTURES = join(import.meta.dirname, '../../../test/platform/outgoing/fixtures');
export const CA_FILE = join(FIXTURES, 'ca.pem');

export interface Receiver {
  /** https://127.0.0.1:PORT */
  url: string;
  /** Resolves when webhooks for `count` different items with the prefix have arrived. */
  whenReceived(prefix: string, count: number): Promise<void>;
  /** Serves a file under `/name`. */
  serve(name: string, path: string): void;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const pem = readFileSync(join(FIXTURES, 'good.pem'), 'utf8');
  const items = new Set<string>();
  const files = new Map<string, string>();
  const waiting: { prefix: string; count: number; resolve: () => void }[] = [];
  const countOf = (prefix: string): number => [...items].filter((id) => id.startsWith(prefix)).length;

  const server = createServer({ key: pem, cert: pem }, (request, response) => {
    const path = files.get(request.url ?? '');
    if (request.method === 'GET' && path) {
      response.writeHead(200, { 'content-length': statSync(path).size });
      createReadStream(path).pipe(response);
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.writeHead(204).end();
      const body = JSON.parse(Buffer.concat(parts).toString()) as { item: { id: string } };
      items.add(body.item.id);
      for (const wait of waiting) if (countOf(wait.prefix) >= wait.count) wait.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    whenReceived: (prefix, count) =>
      new Promise((resolve) => {
        waiting.push({ prefix, count, resolve });
        if (countOf(prefix) >= count) resolve();
      }),
    serve: (name, path) => void files.set(`/${name}`, path),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
