import { describe, expect, it } from '@jest/globals';
import { Expected } from '../../../../tools/chaos/load/expected.ts';
import type { ScenarioDeps } from '../../../../tools/chaos/load/scenarios.ts';
import { createOutputScenario } from '../../../../tools/chaos/load/outputLife.ts';
import { RefusedError } from '../../../../tools/chaos/load/sender.ts';
import { createRandom } from '../../../../tools/load/random.ts';

type Page = { items: string[]; next?: string };
type Sent = { path: string; body: { item?: string; user?: object; types?: string[]; cursor?: string } };

const BASE = ['base-0', 'base-1', 'base-2'];

/** Runs fifty lives whose requests are answered by `answer`. @returns what went wrong, and what was sent */
async function live(answer: (sent: Sent, hidden: string) => Page | Error) {
  const expected = new Expected();
  for (const [id, type] of [
    ['text-1', 'text'],
    ['video-1', 'video'],
    ['gone', 'text'],
  ] as const)
    expected.items.set(`main/${id}`, {
      project: 'main',
      id,
      content: { type, title: id, description: null, body: null, available: true, media: [] },
      deleted: false,
      events: { min: 0, max: 0 },
      units: { min: 0, max: 0 },
      ...(id === 'gone' && { isGone: true }),
    });
  const sent: Sent[] = [];
  let hidden = '';
  const deps = {
    expected,
    targets: { main: { url: '', key: '' } },
    baseItems: BASE,
    occurrence: () => new Date().toISOString(),
    sender: {
      write: async (_target: unknown, { body }: { body: { events: { item: string }[] } }) => {
        hidden = body.events[0]?.item ?? '';
      },
      read: async (_target: unknown, path: string, body: Sent['body']) => {
        sent.push({ path, body });
        const page = answer({ path, body }, body.user === undefined ? '' : hidden);
        if (page instanceof Error) throw page;
        const items = page.items.map((id, position) => ({ id, position }));
        return { recommendation_id: 'r', mode: 'feed', items, next_cursor: page.next ?? null };
      },
    },
  } as unknown as ScenarioDeps;
  const life = createOutputScenario(deps);
  const faults: string[] = [];
  for (let n = 0; n < 50; n += 1) await life(n, createRandom(n)).catch((error: Error) => faults.push(error.message));
  return { faults, sent, states: expected.states.size };
}

describe('the chaos scenario of output requests', () => {
  it('uses every path, people who hide something, conditions and pages', async () => {
    const { faults, sent, states } = await live(({ body }) =>
      body.cursor === undefined ? { items: ['text-1'], next: 'c' } : { items: [] },
    );
    expect(faults).toEqual([]);
    expect(new Set(sent.map(({ path }) => path)).size).toBe(6);
    for (const field of ['user', 'types', 'cursor'] as const)
      expect(sent.some(({ body }) => body[field] !== undefined)).toBe(true);
    expect(states).toBeGreaterThan(0);
  });

  it.each<[string, (sent: Sent, hidden: string) => Page]>([
    ['an item that is gone', () => ({ items: ['gone'] })],
    ['the item that the request is about', ({ body: { item } }) => ({ items: item === undefined ? [] : [item] })],
    ['what the person has hidden', (_sent, hidden) => ({ items: hidden === '' ? [] : [hidden] })],
    ['a video where texts are wanted', () => ({ items: ['video-1'] })],
    ['an item twice', () => ({ items: ['text-1'], next: 'c' })],
  ])('reports %s', async (_what, answer) => {
    expect((await live(answer)).faults.length).toBeGreaterThan(0);
  });

  it('accepts that a later page is refused, but not that the first one is', async () => {
    const refused = (status: number) => new RefusedError('POST /search', { status, text: '' });
    const first = { items: ['text-1'], next: 'c' };
    const { faults } = await live(({ body }) => (body.cursor === undefined ? first : refused(400)));
    expect(faults).toEqual([]);
    expect((await live(() => refused(400))).faults).toHaveLength(50);
  });
});
