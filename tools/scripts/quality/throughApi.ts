/** Trains a running installation through its APIs alone, as an integrator would, and asks it for feeds. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createCabinetClient,
  createContentClient,
  type AttuneCabinet,
  type AttuneContent,
  type content,
} from '../../../clients/typescript/src/index.ts';
import { at, peopleOf, type Interactions } from '../../../output/training/rows/interactions.ts';
import { CUTOFF } from '../../../output/training/evaluate/rankingQuality.ts';
import type { DevDescription } from '../dev/settings/devFiles.ts';
import type { ItemTexts } from './readTable.ts';

const ITEMS_AT_ONCE = 500;
const EVENTS_AT_ONCE = 1_000;
const POLL_MS = 2_000;
/** Number of feeds that are requested concurrently. */
const CONCURRENT_FEEDS = 3;
/** A feed that was late is requested again this many times, because its ranking is to be judged and not its speed. */
const MAX_RETRIES = 30;

export interface SendOptions {
  /** False: without times, so that everything seems to have happened on arrival. */
  isTimed: boolean;
  /** The texts of items by id; an item without any has its id as its title. */
  texts: ReadonlyMap<string, ItemTexts>;
}

/** Fields of a request for a feed. */
export type FeedSettings = Pick<content.FeedRequest, 'exploration' | 'diversity' | 'max_per_author'>;
/** The ranking alone, without what surfaces add to it. */
export const RANKING_ALONE: FeedSettings = { exploration: 0, diversity: 0, max_per_author: 100 };

export interface ThroughApi {
  /** Returns for each person the items of their feed, best first; a few people are asked at a time. */
  askAll(people: readonly number[], settings: FeedSettings): Promise<number[][]>;
  /** How the project's training ended: `published`, or `rejected` or `failed` with its reason. */
  training: string;
}

/** Creates a project, sends it the events, trains it and waits for the end of the training. */
export async function sendAndTrain(dev: DevDescription, data: Interactions, options: SendOptions): Promise<ThroughApi> {
  const cabinet = createCabinetClient({ baseUrl: `${dev.cabinet_url}/api`, key: dev.cabinet_token });
  const { data: project } = await cabinet.createProject({ body: { title: 'Quality of recommendations' } });
  const { data: created } = await cabinet.createProjectKey({ path: { id: project.id }, body: { name: 'quality' } });
  const api = createContentClient({ baseUrl: dev.content_url, key: created.key });
  await sendItems(api, data.ids, options);
  await sendEvents(api, data, options);
  const training = await train(cabinet, project.id);
  const indexes = new Map(data.ids.map((_, index) => [itemId(index), index]));
  const ask = async (person: number, settings: FeedSettings): Promise<number[]> =>
    (await feedOf(api, person, settings)).flatMap(({ id }) => indexes.get(id) ?? []);
  return { askAll: (people, settings) => mapConcurrently(people, (person) => ask(person, settings)), training };
}

const itemId = (index: number): string => `item-${index}`;

async function sendItems(api: AttuneContent, ids: readonly string[], { texts }: SendOptions): Promise<void> {
  const puts = ids.map((id, index) => ({
    op: 'put' as const,
    id: itemId(index),
    data: { type: 'text' as const, ...(texts.get(id) ?? { title: id }) },
  }));
  for (const operations of chunksOf(puts, ITEMS_AT_ONCE)) {
    const { data } = await api.batchItems({ body: { operations } });
    if (data.results.some(({ ok }) => !ok)) throw new Error('an item was refused');
  }
}

async function sendEvents(api: AttuneContent, data: Interactions, { isTimed }: SendOptions): Promise<void> {
  const latest = data.seconds.reduce((most, each) => Math.max(most, each), 0);
  const shift = Math.floor(Date.now() / 1000) - latest;
  const events: content.EventIn[] = [];
  for (let person = 0; person < peopleOf(data); person += 1)
    for (let event = at(data.offsets, person); event < at(data.offsets, person + 1); event += 1)
      events.push({
        id: `event-${event}`,
        type: 'open',
        item: itemId(at(data.items, event)),
        user: { user_id: `person-${person}` },
        ...(isTimed && { occurred_at: new Date((at(data.seconds, event) + shift) * 1000).toISOString() }),
      });
  for (const some of chunksOf(events, EVENTS_AT_ONCE)) {
    const { data: answer } = await api.postEvents({ body: { events: some } });
    if (answer.rejected.length > 0)
      throw new Error(`events were rejected: ${JSON.stringify(answer.rejected.slice(0, 3))}`);
  }
}

/** Waits for a training that the installation has begun by itself, and then trains on everything. */
async function train(cabinet: AttuneCabinet, id: string): Promise<string> {
  const list = async () => (await cabinet.listModels({ path: { id } })).data.items;
  while ((await list()).some(({ state }) => state === 'training')) await sleep(POLL_MS);
  const { data: model } = await cabinet.trainModel({ path: { id } });
  for (;;) {
    const now = (await list()).find((each) => each.id === model.id);
    if (now && now.state !== 'training') return now.reason === null ? now.state : `${now.state}: ${now.reason}`;
    await sleep(POLL_MS);
  }
}

async function feedOf(api: AttuneContent, person: number, settings: FeedSettings): Promise<content.OutputItem[]> {
  for (let asked = 0; ; asked += 1) {
    const { data } = await api.recommendFeed({
      body: { user: { user_id: `person-${person}` }, limit: CUTOFF, ...settings },
    });
    if (data.mode !== 'fallback' || asked === MAX_RETRIES) return data.items;
  }
}

function* chunksOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

async function mapConcurrently<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = all.entries();
  const worker = async (): Promise<void> => {
    for (const [place, each] of waiting) results[place] = await work(each);
  };
  await Promise.all(Array.from({ length: CONCURRENT_FEEDS }, worker));
  return results;
}
