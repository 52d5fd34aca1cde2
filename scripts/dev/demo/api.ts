/** The demonstration's calls: the public APIs of the running stack, as any integrator makes them. */
import type { DevDescription } from '../devFiles.ts';

export interface DemoItem {
  id: string;
  status: string;
  processing: Record<string, string>;
  processing_errors?: Record<string, { code: string; message: string }>;
  summary: { summary: string; topics: string[]; tags: string[]; language: string | null } | null;
  transcript?: { text: string }[] | null;
  frames?: { ocr_text: string | null }[] | null;
}

export interface DemoApi {
  /** Whether the project has, or had, an item of that id. */
  hasItem(id: string): Promise<boolean>;
  /** @returns whether the item is new. */
  putItem(id: string, body: unknown): Promise<boolean>;
  reprocess(id: string): Promise<void>;
  getItem(id: string): Promise<DemoItem>;
  /** Subscribes an address to both events. */
  createWebhook(url: string): Promise<{ id: string; secret: string }>;
  /** Removes the webhooks that lead to a host, left by a demonstration that was interrupted. */
  deleteWebhooksTo(host: string): Promise<void>;
}

interface Answer {
  status: number;
  body: unknown;
}

export function makeDemoApi(description: DevDescription, signal: AbortSignal): DemoApi {
  const { content_url: content, cabinet_url: cabinet, project, cabinet_token: token } = description;
  const webhooks = `${cabinet}/api/projects/${project.id}/webhooks`;

  async function call(method: string, url: string, key: string, body?: unknown, expected: readonly number[] = []): Promise<Answer> {
    const headers = { Authorization: `Bearer ${key}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    const response = await fetch(url, { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok && !expected.includes(response.status)) throw new Error(`${method} ${new URL(url).pathname} answered ${response.status}: ${text.slice(0, 300)}`);
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  return {
    async hasItem(id) {
      return (await call('GET', `${content}/items/${id}`, project.key, undefined, [404])).status !== 404;
    },
    async putItem(id, body) {
      return (await call('PUT', `${content}/items/${id}`, project.key, body)).status === 201;
    },
    async reprocess(id) {
      await call('POST', `${content}/items/${id}/reprocess`, project.key);
    },
    async getItem(id) {
      return (await call('GET', `${content}/items/${id}?include=transcript,frames`, project.key)).body as DemoItem;
    },
    async createWebhook(url) {
      return (await call('POST', webhooks, token, { url, events: ['item.processed', 'item.failed'] })).body as { id: string; secret: string };
    },
    async deleteWebhooksTo(host) {
      const { items } = (await call('GET', webhooks, token)).body as { items: { id: string; url: string }[] };
      for (const { id, url } of items) if (new URL(url).hostname === host) await call('DELETE', `${webhooks}/${id}`, token);
    },
  };
}
