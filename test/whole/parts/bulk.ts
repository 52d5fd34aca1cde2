/** A catalogue loaded in batches, while a reader follows its changes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';
import { answerWith, startReceiver, type Receiver } from '../../support/servers/receiver.ts';
import { textBody } from '../../support/whole/catalogue.ts';
import { addWebhook, liftLimits } from '../../support/whole/client.ts';
import { ownProject } from '../../support/whole/project.ts';
import type { WholeStack } from '../../support/whole/stack.ts';
import { until } from '../../support/whole/until.ts';

const ITEMS = 100;

interface Page {
  items: { id: string; status: string; updated_at: string }[];
  next_cursor: string | null;
}

export const bulkLoad = (stackOf: () => WholeStack): void =>
  describe('a bulk load', () => {
    let stack: WholeStack;
    let receiver: Receiver;

    beforeAll(async () => {
      [receiver, stack] = await Promise.all([startReceiver(answerWith(204)), ownProject(stackOf(), 'Bulk')]);
      await addWebhook(stack, receiver.url);
      await liftLimits(stack);
    });
    afterAll(cleanUp);

    async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
      const { content_url: url, project } = stack.dev;
      const headers = { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' };
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
      return (await response.json()) as T;
    }

    it('is analysed completely, each item is announced once, and its list shows every result', async () => {
      const ids = Array.from({ length: ITEMS }, (_, n) => `статья/${n}`);
      const load = (wanted: string[]) =>
        call<{ results: { ok: boolean }[] }>('POST', '/items/batch', {
          operations: wanted.map((id) => ({ op: 'put', id, data: textBody(id) })),
        });
      // Sent twice, as by a client that got no answer, in another order and in other pieces.
      const answers = await Promise.all([load(ids), load(ids.slice(0, 60).toReversed()), load(ids.slice(60))]);
      expect(answers.flatMap(({ results }) => results).every(({ ok }) => ok)).toBe(true);

      const seen = new Map<string, string>();
      let since = '0001-01-01T00:00:00Z';
      const follow = async (): Promise<number> => {
        for (let page: Page | null = null; page?.next_cursor !== null;) {
          page = await call<Page>(
            'GET',
            `/items?limit=30&updated_since=${since}${page ? `&cursor=${page.next_cursor}` : ''}`,
          );
          for (const { id, status } of page.items) seen.set(id, status);
          since = page.items.at(-1)?.updated_at ?? since;
        }
        return [...seen.values()].filter((status) => status === 'ready').length;
      };
      await until('all to be ready in the list', follow, (ready) => ready === ITEMS);
      expect([...seen.keys()].sort()).toEqual(ids.toSorted());

      await until(
        'the webhooks',
        async () => receiver.requests.length,
        (count) => count >= ITEMS,
      );
      const announced = receiver.requests
        .map(({ body }) => JSON.parse(body) as { event: string; item: { id: string } })
        .map(({ event, item }) => `${event} ${item.id}`);
      expect(announced.sort()).toEqual(ids.map((id) => `item.processed ${id}`).sort());
    });
  });
