/**
 * Requests recommendations and searches for everybody, for a person who has just hidden an item, and page by page. The
 * responses must follow the rules, whatever has been killed.
 */
import type { Random } from '../../load/random.ts';
import { recordEvent, type SentEvent } from './eventLife.ts';
import type { Scenario, ScenarioDeps } from './scenarios.ts';
import { RefusedError } from './sender.ts';

interface OutputAnswer {
  recommendation_id: string;
  mode: string;
  items: { id: string; position: number }[];
  next_cursor: string | null;
}

interface SentRequest {
  path: string;
  body: Record<string, unknown>;
  /** Items that must not be shown: the subject, and what the person has hidden. */
  unwanted: readonly string[];
}

const LIMIT = 20;
const PAGES = 3;
const HIDING_PERCENT = 30;
const FILTERED_PERCENT = 30;

/** @throws in the scenario, when a response shows an item that a rule forbade before the request was sent */
export function createOutputScenario(deps: ScenarioDeps): Scenario {
  const { expected, sender, targets } = deps;

  /** @returns the item that the person has hidden */
  async function hide(userId: string, n: number, random: Random): Promise<string> {
    const event: SentEvent = {
      id: `hide-${n}`,
      type: 'hide',
      item: random.pick(deps.baseItems),
      user: { user_id: userId },
      occurred_at: deps.occurrence(),
      value: 1,
    };
    await sender.write(targets.main, { method: 'POST', path: '/events', body: { events: [event] } });
    recordEvent(expected, event);
    return event.item;
  }

  /** Returns null when there is no such page: a crash may lose the snapshots of the last second. */
  async function readPage({ path, body }: SentRequest, cursor: string | null): Promise<OutputAnswer | null> {
    if (cursor === null) return sender.read<OutputAnswer>(targets.main, path, body);
    return sender.read<OutputAnswer>(targets.main, path, { ...body, cursor }).catch((error: unknown) => {
      if (error instanceof RefusedError && error.status === 400) return null;
      throw error;
    });
  }

  async function walk(asked: SentRequest): Promise<void> {
    const shown = new Set<string>();
    let cursor: string | null = null;
    for (let page = 1; page <= PAGES && (page === 1 || cursor !== null); page += 1) {
      const gone = [...expected.items].filter(([, item]) => item.isGone).map(([key]) => key);
      const answer: OutputAnswer | null = await readPage(asked, cursor);
      if (answer === null) return;
      const wrong = faultsOf(deps, asked, answer, new Set([...gone, ...asked.unwanted.map(keyOf)]), shown);
      if (wrong.length > 0)
        throw new Error(`${answer.recommendation_id} (${answer.mode}, page ${page}) shows ${wrong.join(', ')}`);
      for (const { id } of answer.items) shown.add(id);
      cursor = answer.next_cursor;
    }
  }

  return async (n, random) => {
    const subject = random.pick(deps.baseItems);
    const userId = `viewer-${n}`;
    const hidden = random.percent(HIDING_PERCENT) ? [await hide(userId, n, random)] : [];
    const { path, body, subjects } = random.pick(REQUESTS)(subject);
    const asked = {
      ...body,
      limit: LIMIT,
      ...(hidden.length > 0 && { user: { user_id: userId } }),
      ...(random.percent(FILTERED_PERCENT) && { types: ['text'] }),
    };
    await walk({ path, body: asked, unwanted: [...subjects, ...hidden] });
  };
}

const keyOf = (id: string): string => `main/${id}`;

function faultsOf(
  { expected }: ScenarioDeps,
  { body }: SentRequest,
  { items }: OutputAnswer,
  forbidden: ReadonlySet<string>,
  shown: ReadonlySet<string>,
): string[] {
  return items.flatMap(({ id }) => {
    const type = expected.items.get(keyOf(id))?.content.type;
    return [
      ...(forbidden.has(keyOf(id)) ? [`${id}, which is gone, hidden or the subject`] : []),
      ...(shown.has(id) ? [`${id} again`] : []),
      ...(body['types'] !== undefined && type !== undefined && type !== 'text' ? [`${id}, which is no text`] : []),
    ];
  });
}

interface OutputAsked {
  path: string;
  body: Record<string, unknown>;
  subjects: readonly string[];
}

/** Requests by the item that they are about. */
const REQUESTS: readonly ((subject: string) => OutputAsked)[] = [
  (item) => ({ path: '/recommendations/similar', body: { item }, subjects: [item] }),
  (item) => ({ path: '/recommendations/next', body: { item }, subjects: [item] }),
  (item) => ({ path: '/recommendations/together', body: { items: [item] }, subjects: [item] }),
  () => ({ path: '/recommendations/feed', body: {}, subjects: [] }),
  () => ({ path: '/recommendations/popular', body: {}, subjects: [] }),
  () => ({ path: '/search', body: { query: 'about' }, subjects: [] }),
];
