/** A site whose pages contain the tag. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const TAG_KEY = 'as_0123456789abcdefghijABCD';

export interface SitePage {
  head?: string;
  body?: string;
  title?: string;
  headers?: Record<string, string>;
}

export interface Site {
  /** Returns a URL on any host name: all resolve to this server. */
  url(path: string, host?: string): string;
  /** The pages by path; a path without an entry is an empty page with the snippet. */
  pages: Map<string, SitePage>;
  close(): Promise<void>;
}

/** Returns the snippet as GET /sites/{id}/tag does. */
export function snippet(collectOrigin: string, init = `svc('init','${TAG_KEY}');`): string {
  return `<script>window.svc=window.svc||function(){(svc.q=svc.q||[]).push(arguments)};${init}</script>\n<script async src="${collectOrigin}/tag.js"></script>`;
}

/** @param defaultHead of pages without a head */
export async function startSite(defaultHead: () => string): Promise<Site> {
  const pages = new Map<string, SitePage>();
  const server = createServer((request, response) => {
    const path = String(request.url).split('?')[0] ?? '/';
    if (path === '/favicon.ico') return void response.writeHead(404).end();
    const { head = defaultHead(), body = '', title = path, headers = {} } = pages.get(path) ?? {};
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
    response.end(`<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path, host = 'www.shop.example') => `http://${host}:${port}${path}`,
    pages,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
