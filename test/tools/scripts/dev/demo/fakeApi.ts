/** The part of the content and cabinet APIs that the demonstration uses; each read of an item completes a step. */
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { coreSignature } from '../../../../../domain/webhooks/signature.ts';
import type { DevDescription } from '../../../../../tools/scripts/dev/settings/devFiles.ts';

const STEPS = ['prepare', 'speech', 'vision', 'summary', 'embedding'];
const SECRET = 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789';

export interface FakeApi {
  description: DevDescription;
  /** Every request as "METHOD path", in order. */
  calls: string[];
  /** Bodies of PUT requests, by id. */
  bodies: Map<string, { media?: { url: string }[] }>;
  webhooks: Map<string, string>;
  close(): Promise<void>;
}

export interface FakeApiOptions {
  /** Certificate authority of the webhook receiver. */
  ca: string;
  /** Signs with a secret other than the published one. */
  forge?: boolean;
}

export async function startFakeApi({ ca, forge = false }: FakeApiOptions): Promise<FakeApi> {
  const calls: string[] = [];
  const bodies: FakeApi['bodies'] = new Map();
  const done = new Map<string, number>();
  const webhooks = new Map<string, string>();

  function handle(method: string, path: string, body: unknown): { status: number; body: unknown } {
    const id = /\/items\/([\w-]+)/.exec(path)?.[1] ?? '';
    if (path.endsWith('/webhooks')) {
      if (method === 'GET')
        return { status: 200, body: { items: [...webhooks].map(([key, url]) => ({ id: key, url })) } };
      webhooks.set('w1', (body as { url: string }).url);
      return { status: 201, body: { id: 'w1', secret: SECRET } };
    }
    if (method === 'DELETE') return { status: webhooks.delete(path.split('/').at(-1) ?? '') ? 200 : 404, body: null };
    if (method === 'POST') return { status: 202, body: restart(id) };
    if (method === 'PUT') {
      const known = bodies.has(id);
      bodies.set(id, body as { media?: { url: string }[] });
      return { status: known ? 200 : 201, body: known ? {} : restart(id) };
    }
    return bodies.has(id) ? { status: 200, body: look(id) } : { status: 404, body: null };
  }

  function restart(id: string): object {
    done.set(id, 0);
    return {};
  }

  function look(id: string): object {
    const finished = (done.get(id) ?? 0) + 1;
    done.set(id, finished);
    if (finished === STEPS.length) void announce(id);
    const processing = Object.fromEntries(STEPS.map((step, index) => [step, index < finished ? 'done' : 'queued']));
    const summary = { summary: `What ${id} says.`, topics: ['трамвай'], tags: [], language: 'ru' };
    return {
      id,
      status: finished < STEPS.length ? 'processing' : 'ready',
      processing,
      summary,
      transcript: null,
      frames: [{ ocr_text: 'TRAM DEPOT' }],
    };
  }

  async function announce(id: string): Promise<void> {
    const body = JSON.stringify({ event: 'item.processed', item: { id } });
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = coreSignature(forge ? 'whsec_other' : SECRET, timestamp, body);
    const headers = {
      'X-Core-Event': 'item.processed',
      'X-Core-Timestamp': timestamp,
      'X-Core-Signature': signature,
      'X-Core-Delivery': id,
    };
    await new Promise<void>((resolve) =>
      request(webhooks.get('w1') ?? '', { method: 'POST', ca, headers }, (response) =>
        response.resume().on('end', resolve),
      ).end(body),
    );
  }

  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? '';
    calls.push(`${incoming.method} ${path}`);
    const answer = handle(incoming.method ?? '', path, await readJson(incoming));
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    description: {
      content_url: `${origin}/content/api/v1`,
      analytics_url: '',
      cabinet_url: `${origin}/cabinet`,
      cabinet_token: 'at_x',
      cabinet_sign_in_url: null,
      collect_url: '',
      database_url: '',
      temporal_address: '',
      temporal_ui_url: null,
      project: { id: 'p', key: 'ck_x' },
      site: { id: 's', api_key: 'ak_x', tag_key: 'as_x' },
      metrics_urls: {},
      pids: {},
    },
    calls,
    bodies,
    webhooks,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString());
}
