/**
 * The demonstration's calls to the public APIs of the running stack, through their own client, as any integrator makes
 * them.
 */
import {
  AttuneError,
  createCabinetClient,
  createContentClient,
  type content,
} from '../../../../clients/typescript/src/index.ts';
import type { DevDescription } from '../settings/devFiles.ts';

export type DemoItem = content.ItemDetail;

export interface DemoApi {
  /** Returns true when the project has, or had, an item with that id. */
  hasItem(id: string): Promise<boolean>;
  /** @returns true when the item is new. */
  putItem(id: string, body: content.ItemPutRequest): Promise<boolean>;
  reprocess(id: string): Promise<void>;
  getItem(id: string): Promise<DemoItem>;
  /** Subscribes an address to the events of the analysis. */
  createWebhook(url: string): Promise<{ id: string; secret: string }>;
  /** Deletes webhooks to a host that an interrupted demonstration has left behind. */
  deleteWebhooksTo(host: string): Promise<void>;
}

/** A stack that has just started answers, so failures are reported at once. */
const NO_RETRIES: readonly number[] = [];

export function makeDemoApi(description: DevDescription, signal: AbortSignal): DemoApi {
  const { content_url: contentUrl, cabinet_url: cabinetUrl, project, cabinet_token: token } = description;
  const items = createContentClient({ baseUrl: contentUrl, key: project.key, signal, retryPausesMs: NO_RETRIES });
  const cabinet = createCabinetClient({ baseUrl: `${cabinetUrl}/api`, key: token, signal });
  const ofProject = { id: project.id };

  return {
    async hasItem(id) {
      try {
        await items.getItem({ path: { id } });
        return true;
      } catch (error) {
        if (error instanceof AttuneError && error.status === 404) return false;
        throw error;
      }
    },
    async putItem(id, body) {
      const { response } = await items.putItem({ path: { id }, body });
      return response.status === 201;
    },
    async reprocess(id) {
      await items.reprocessItem({ path: { id } });
    },
    async getItem(id) {
      const { data } = await items.getItem({ path: { id }, query: { include: ['transcript', 'frames'] } });
      return data;
    },
    async createWebhook(url) {
      const { data } = await cabinet.createWebhook({
        path: ofProject,
        body: { url, events: ['item.processed', 'item.failed'] },
      });
      return data;
    },
    async deleteWebhooksTo(host) {
      const { data } = await cabinet.listWebhooks({ path: ofProject });
      for (const { id: wid, url } of data.items) {
        if (new URL(url).hostname === host) await cabinet.deleteWebhook({ path: { ...ofProject, wid } });
      }
    },
  };
}
