/** Background load during the requests: incoming events, and a training. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OutputBench } from './bench.ts';
import { evenly, type Answer, type Scheduled } from './load.ts';
import { randomOf, weighted, zipf } from './world/chance.ts';
import { itemId, userId } from './world/size.ts';

export const EVENTS_PER_SECOND = 1_000;
/** The batch size of a typical integrator. */
const EVENTS_PER_REQUEST = 100;

const TYPES: readonly (readonly [number, string])[] = [
  [55, 'impression'],
  [25, 'open'],
  [14, 'view'],
  [4, 'like'],
  [1, 'favourite'],
  [1, 'dislike'],
];

/** Bodies of POST /events, built before the clock starts. */
export function intakeRequests({ world, seconds }: OutputBench): Scheduled<string>[] {
  const random = randomOf('intake');
  const event = (): object => {
    const type = weighted(random, TYPES);
    return {
      id: `b${Date.now()}-${random.below(2 ** 31)}-${random.below(2 ** 31)}`,
      type,
      item: itemId(zipf(random, world.size.items)),
      user: { user_id: userId(Math.floor(world.size.people * random.next() ** 2)) },
      surface: 'main',
      position: random.below(20),
      ...(type === 'view' && { value: random.below(101) }),
    };
  };
  return evenly(EVENTS_PER_SECOND / EVENTS_PER_REQUEST, seconds).map((at) => ({
    at,
    request: JSON.stringify({ events: Array.from({ length: EVENTS_PER_REQUEST }, event) }),
  }));
}

/** @throws when the response is not 202, or almost nothing was accepted */
export function requireAccepted({ status, body }: Answer): void {
  const { accepted = 0, rejected = [] } = (body ?? {}) as { accepted?: number; rejected?: { code: string }[] };
  if (status === 202 && accepted > EVENTS_PER_REQUEST / 2) return;
  throw new Error(`POST /events answered ${status}, accepted ${accepted}: ${JSON.stringify(rejected.slice(0, 3))}`);
}

export interface TrainedModel {
  id: string;
  kind: string;
  state: 'training' | 'published' | 'rejected' | 'failed';
  events: number | null;
  items: number | null;
  people: number | null;
  quality: object | null;
  reason: string | null;
  started_at: string;
  finished_at: string | null;
}

const POLL_MS = 250;

/**
 * Starts a training, or uses one that has started on its own.
 * @returns a function that waits for its end and returns its duration in seconds; null if no training can be started
 */
export async function beginTraining({
  stack,
}: Pick<OutputBench, 'stack'>): Promise<{ ended(): Promise<{ model: TrainedModel; seconds: number }> } | null> {
  const base = `${stack.cabinetApiUrl}/projects/${stack.project.id}/output`;
  const headers = { authorization: `Bearer ${stack.cabinetToken}`, 'content-type': 'application/json' };
  const models = async (): Promise<TrainedModel[]> =>
    ((await (await fetch(`${base}/models`, { headers })).json()) as { items: TrainedModel[] }).items;
  const answer = await fetch(`${base}/train`, { method: 'POST', headers, body: '{}' });
  if (answer.status === 404) return null;
  const begun = answer.ok
    ? ((await answer.json()) as TrainedModel)
    : (await models()).find(({ state }) => state === 'training');
  if (!begun) throw new Error(`the training could not begin: ${answer.status} ${await answer.text()}`);
  return {
    async ended() {
      for (;;) {
        const model = (await models()).find(({ id }) => id === begun.id);
        if (model && model.state !== 'training') return { model, seconds: secondsOf(model) };
        await delay(POLL_MS);
      }
    },
  };
}

function secondsOf({ started_at: start, finished_at: end }: TrainedModel): number {
  return (Date.parse(end ?? '') - Date.parse(start)) / 1_000;
}
