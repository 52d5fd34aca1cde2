/** Measures from the response to a write until a response shows the change: it must be the very next one. */
import { percentile, type Figure } from '../support/report.ts';
import { figure, kindsNamed, type OutputBench } from './bench.ts';
import type { OutputRequest } from './kinds.ts';
import { itemOf } from './world/items.ts';
import { itemId, userId } from './world/size.ts';

const ROUNDS = 50;
const MAX_REQUESTS = 100;

interface ShownPage {
  mode: string;
  items: { id: string; score: number; reason: { code: string } }[];
}

interface ChangeLatency {
  /** Number of requests until the change showed. */
  requests: number;
  /** Latency of the request that showed it. */
  ms: number;
}

export async function measureFreshness(bench: OutputBench): Promise<Figure[]> {
  bench.log('from a write to the next answer');
  const has = (name: string): boolean => kindsNamed(bench, name).length > 0;
  const figures: Figure[] = [];
  if (has('feed')) {
    figures.push(
      ...freshnessFigures(
        'a like, until the feed is personal',
        await repeat((round) => likeUntilPersonal(bench, round)),
      ),
    );
    figures.push(
      ...freshnessFigures(
        'hiding the first of the feed, until it is gone',
        await repeat((round) => hideFirst(bench, round, '/recommendations/feed')),
      ),
    );
  }
  if (has('similar')) {
    figures.push(
      ...freshnessFigures(
        'hiding the first of similar, until it is gone',
        await repeat((round) => hideFirst(bench, round, '/recommendations/similar')),
      ),
    );
    figures.push(
      ...freshnessFigures(
        'DELETE of the first of similar, until it is gone',
        await repeat((round) =>
          deleteFirst(bench, round, { path: '/recommendations/similar', body: { item: subject(round) } }),
        ),
      ),
    );
  }
  if (has('search, lexical'))
    figures.push(
      ...freshnessFigures(
        'DELETE of the first of search, until it is gone',
        await repeat((round) => deleteFirst(bench, round, { path: '/search', body: { query: titleOf(bench, round) } })),
      ),
    );
  return figures;
}

/** Items that the mix rarely requests. */
const subject = (round: number): string => itemId(1_000 + 7 * round);
const titleOf = ({ world }: OutputBench, round: number): string =>
  itemOf(3_000 + 11 * round, world.topics.all, world.now).title.replaceAll(/[^\p{L}\p{N} ]/gu, ' ');

async function repeat(one: (round: number) => Promise<ChangeLatency | null>): Promise<ChangeLatency[]> {
  const all: ChangeLatency[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await one(round);
    if (found) all.push(found);
  }
  return all;
}

function freshnessFigures(name: string, all: readonly ChangeLatency[]): Figure[] {
  return [
    figure(
      `${name}: requests, the most of ${all.length}`,
      Math.max(...all.map(({ requests }) => requests)),
      '',
      '<= 1',
    ),
    figure(
      `${name}: that request, p50`,
      percentile(
        all.map(({ ms }) => ms),
        50,
      ),
      'ms',
    ),
  ];
}

async function ask({ client }: OutputBench, { path, body }: OutputRequest): Promise<ShownPage & { ms: number }> {
  const answer = await client.send({ path, body });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { ...(answer.body as ShownPage), ms: answer.ms };
}

async function untilShown(
  bench: OutputBench,
  request: OutputRequest,
  shows: (answer: ShownPage) => boolean,
): Promise<ChangeLatency> {
  for (let requests = 1; requests <= MAX_REQUESTS; requests += 1) {
    const answer = await ask(bench, request);
    if (shows(answer)) return { requests, ms: answer.ms };
    bench.log(`${request.path} does not show it yet: ${answer.mode}, ${answer.ms.toFixed(0)} ms`);
  }
  return { requests: Infinity, ms: Number.NaN };
}

async function tellEvent({ client }: OutputBench, event: object): Promise<void> {
  const { status, body } = await client.send({ path: '/events', body: { events: [event] } });
  if (status !== 202 || (body as { accepted: number }).accepted !== 1)
    throw new Error(`an event was not accepted: ${status} ${JSON.stringify(body)}`);
}

async function likeUntilPersonal(bench: OutputBench, round: number): Promise<ChangeLatency> {
  const user = { user_id: `new-${Date.now()}-${round}` };
  const request = { path: '/recommendations/feed', body: { user } };
  await ask(bench, request);
  await tellEvent(bench, { id: `like-${Date.now()}-${round}`, type: 'like', item: subject(round), user });
  return untilShown(bench, request, ({ mode }) => mode === 'personal');
}

/** Returns null when there is nothing to hide. */
async function hideFirst(bench: OutputBench, round: number, path: string): Promise<ChangeLatency | null> {
  const user = { user_id: userId(round) };
  const request = { path, body: { user, ...(path.endsWith('similar') && { item: subject(round) }) } };
  const first = (await ask(bench, request)).items[0]?.id;
  if (first === undefined) return null;
  await tellEvent(bench, { id: `hide-${Date.now()}-${round}-${path.length}`, type: 'hide', item: first, user });
  return untilShown(bench, request, ({ items }) => items.every(({ id }) => id !== first));
}

async function deleteFirst(bench: OutputBench, _round: number, request: OutputRequest): Promise<ChangeLatency | null> {
  const first = (await ask(bench, request)).items[0]?.id;
  if (first === undefined) return null;
  const { status } = await bench.client.send({ method: 'DELETE', path: `/items/${first}` });
  if (status >= 300) throw new Error(`DELETE /items/${first} answered ${status}`);
  return untilShown(bench, request, ({ items }) => items.every(({ id }) => id !== first));
}
