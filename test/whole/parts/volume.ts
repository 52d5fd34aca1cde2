/** A project with a monthly volume: waiting items resume automatically, and a rerun uses volume too. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createContentClient, liftLimits, type ContentClient } from '../../support/whole/client.ts';
import { ownProject } from '../../support/whole/project.ts';
import type { WholeStack } from '../../support/whole/stack.ts';
import { until } from '../../support/whole/until.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];

interface Usage {
  used: number;
  reserved: number;
  limit: number | null;
}

export const volume = (stackOf: () => WholeStack): void =>
  describe('a project with a volume of three', () => {
    let stack: WholeStack;
    let client: ContentClient;

    beforeAll(async () => {
      stack = await ownProject(stackOf(), 'Volume');
      client = createContentClient(stack);
      await liftLimits(stack);
    });

    async function cabinet<T>(method: string, path: string, body?: object): Promise<T> {
      const { dev } = stack;
      const response = await fetch(`${dev.cabinet_url}/api/projects/${dev.project.id}${path}`, {
        method,
        headers: { authorization: `Bearer ${dev.cabinet_token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    }

    const statuses = async (): Promise<string[]> =>
      (await Promise.all(IDS.map((id) => client.get(id)))).map(({ status }) => status).sort();
    const usage = (): Promise<Usage> => cabinet<Usage>('GET', '/usage');

    it('has three of five texts analysed, and the others when the volume is raised', async () => {
      await cabinet('PATCH', '', { monthly_volume: 3 });
      for (const id of IDS)
        await client.putUntilAnswered(id, {
          type: 'text',
          title: `Урок ${id}`,
          body: 'Столица Франции — Париж. Париж стоит на Сене.',
        });
      await until(
        'three analysed and two waiting',
        async () => {
          const items = await Promise.all(IDS.map((id) => client.get(id)));
          return items
            .map(({ status, processing }) => (status === 'queued' ? processing.summary : status))
            .sort()
            .join();
        },
        (seen) => seen === 'ready,ready,ready,waiting,waiting',
      );
      expect(await usage()).toMatchObject({ used: 3, reserved: 0, limit: 3 });
      await until(
        'the health',
        () => client.health(),
        (status) => status === 'ok',
      );
      await cabinet('PATCH', '', { monthly_volume: 20 });
      await until('all analysed', statuses, (seen) => seen.every((status) => status === 'ready'));
      expect(await usage()).toMatchObject({ used: 5, reserved: 0, limit: 20 });
    });

    it('pays for a rerun', async () => {
      const { id } = await cabinet<{ id: string }>('POST', '/rerun', { status: 'ready', steps: ['embedding'] });
      const rerun = await until(
        'the rerun',
        () => cabinet<{ state: string; seen: number; done: number }>('GET', `/reruns/${id}`),
        ({ state }) => state === 'done',
      );
      expect(rerun).toMatchObject({ seen: 5, done: 5 });
      await until('everything analysed again', usage, ({ used, reserved }) => used === 10 && reserved === 0);
      // Paid items are ready a moment later.
      await until('everything ready again', statuses, (all) => all.every((status) => status === 'ready'));
    });
  });
