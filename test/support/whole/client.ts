/** An integrator's client of a running stack: it retries where the API's document says so. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ItemDetail } from '../../../api/content/items/itemRead.ts';
import type { ProjectLimits } from '../../../domain/accounts/projectLimits.ts';
import { HANG_MS } from '../eventually.ts';
import { until } from './until.ts';
import type { WholeStack } from './stack.ts';

const FINAL = new Set(['ready', 'partial', 'failed']);

export type ItemBody = Record<string, unknown>;

export interface ContentClient {
  /** Every request without an answer, as "PUT items/x: ECONNRESET". */
  readonly broken: string[];
  /** Sends PUT once. @throws when the connection breaks */
  put(id: string, body: ItemBody): Promise<{ status: number; ms: number }>;
  /** Repeats PUT until the answer is 200 or 201. */
  putUntilAnswered(id: string, body: ItemBody): Promise<number>;
  get(id: string, include?: string): Promise<ItemDetail>;
  health(): Promise<string>;
  /** Polls an item until `isWanted` accepts it. */
  itemUntil(id: string, isWanted: (item: ItemDetail) => boolean, patienceMs?: number): Promise<ItemDetail>;
  finalOf(id: string, patienceMs?: number): Promise<ItemDetail>;
}

export function createContentClient({ dev }: WholeStack): ContentClient {
  const broken: string[] = [];
  const headers = { authorization: `Bearer ${dev.project.key}`, 'content-type': 'application/json' };

  async function put(id: string, body: ItemBody): Promise<{ status: number; ms: number }> {
    const started = performance.now();
    const response = await fetch(`${dev.content_url}/items/${id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(HANG_MS),
    });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - started };
  }

  async function putUntilAnswered(id: string, body: ItemBody): Promise<number> {
    for (;;) {
      const status = await put(id, body).then(
        (answer) => answer.status,
        (error: Error) => {
          broken.push(`PUT items/${id}: ${String(error.cause ?? error)}`);
          return 0;
        },
      );
      if (status === 200 || status === 201) return status;
      if (status !== 0 && status !== 429 && status < 500) throw new Error(`PUT items/${id} answered ${status}`);
      await delay(200);
    }
  }

  async function get(id: string, include?: string): Promise<ItemDetail> {
    const response = await fetch(`${dev.content_url}/items/${id}${include ? `?include=${include}` : ''}`, { headers });
    if (!response.ok) throw new Error(`GET items/${id} answered ${response.status}`);
    return (await response.json()) as ItemDetail;
  }

  const itemUntil: ContentClient['itemUntil'] = (id, isWanted, patienceMs) =>
    until(`item ${id}`, () => get(id), isWanted, patienceMs);

  return {
    broken,
    put,
    putUntilAnswered,
    get,
    itemUntil,
    health: async () => ((await (await fetch(`${dev.content_url}/health`)).json()) as { status: string }).status,
    finalOf: (id, patienceMs) => itemUntil(id, (item) => FINAL.has(item.status), patienceMs),
  };
}

/** Adds a webhook for the events of the analysis to the stack's project. @returns its secret */
export async function addWebhook({ dev }: WholeStack, url: string): Promise<string> {
  const response = await fetch(`${dev.cabinet_url}/api/projects/${dev.project.id}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dev.cabinet_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['item.processed', 'item.failed'], enabled: true }),
  });
  if (!response.ok) throw new Error(`the webhook could not be added: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { secret: string }).secret;
}

const LIFTED: ProjectLimits = { requests_per_second: 10_000, output_per_second: 10_000 };

/** Raises the documented rate limits, so that a test measures the machine and not the limiter. */
export async function liftLimits({ dev }: WholeStack): Promise<void> {
  const response = await fetch(`${dev.cabinet_url}/api/projects/${dev.project.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${dev.cabinet_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ limits: LIFTED }),
  });
  if (!response.ok) throw new Error(`the limits could not be lifted: ${response.status} ${await response.text()}`);
}
