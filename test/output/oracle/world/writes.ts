/** Random writes: each is sent to the API, or stored as the workers would, and updates the model accordingly. */
import type { Dice } from '../../../reports/oracle/world/dice.ts';
import type { Write } from './history.ts';
import { writeOfPeople, type PeopleOf } from './peopleWrites.ts';
import { putOf, send, storeResults, storeSummary, type Place } from './store.ts';
import { withItem, type Item, type State } from './world.ts';
import { analysed, labelsOf, randomItem, randomMoment, randomProperties, randomTitle } from './worlds.ts';
import * as pools from './pools.ts';

export interface Writing {
  dice: Dice;
  place: Place;
  people: PeopleOf;
  /** Milliseconds since 1970 when the world began. */
  begun: number;
  /** Creates ids of new items. */
  nextId(): string;
}

type Maker = (state: State, writing: Writing) => Write | null;

const anItem = ({ items }: State, dice: Dice): Item => dice.pick([...items.values()]);
const path = ({ id }: Item): string => `/items/${id}`;

/** Puts an item under an old or a new id, with its text unchanged or changed. */
const put: Maker = (state, { dice, place, begun, nextId }) => {
  const known = dice.chance(25) ? null : anItem(state, dice);
  const fresh = randomItem(dice, known?.id ?? nextId(), begun);
  const isSameText = known !== null && dice.chance(60);
  const item: Item = {
    ...fresh,
    ...(known && { type: known.type }),
    ...(isSameText && { title: known.title, description: known.description }),
  };
  if (known?.deleted) return undeleted(state, known, { ...known, ...item, deleted: false }, { dice, place });
  const isRewritten = known === null || known.title !== item.title || known.description !== item.description;
  const after: Item =
    known === null
      ? item
      : isRewritten
        ? rewritten(known, item)
        : { ...item, status: known.status, results: known.results };
  return {
    what: `PUT ${item.id}`,
    send: async () => void (await send(place, ['PUT', path(item), putOf(item)], [200, 201])),
    states: [withItem(state, after)],
  };
};

/**
 * Returns the item after a write: a new text discards its results. The work on media stays, so an item with media whose
 * analysis has begun is then processing.
 */
function rewritten(known: Item, item: Item): Item {
  const isBegun = known.type !== 'text' && known.status !== 'queued';
  return { ...item, status: isBegun ? 'processing' : 'queued', results: null };
}

/** Restores an item. That resumes unfinished analysis, so the item is analysed at once to make its state known. */
function undeleted(state: State, known: Item, item: Item, { dice, place }: Pick<Writing, 'dice' | 'place'>): Write {
  const isRewritten = known.title !== item.title || known.description !== item.description;
  const between: Item = { ...item, results: isRewritten ? null : known.results };
  const statuses = [known.status, 'queued', 'processing'] as const;
  const after = analysed(dice, item);
  return {
    what: `PUT ${item.id}, which was deleted`,
    send: async () => {
      await send(place, ['PUT', path(item), putOf(item)], [200]);
      await storeResults(place, [after]);
    },
    states: [...statuses.map((status) => withItem(state, { ...between, status })), withItem(state, after)],
  };
}

const patch: Maker = (state, { dice, place, begun }) => {
  const item = anItem(state, dice);
  const change: Partial<Item> = dice.pick([
    () => ({ available: !item.available }),
    () => ({ available: false }),
    () => ({ available: true }),
    () => ({ author: dice.chance(10) ? null : dice.pick(pools.AUTHORS) }),
    () => ({ properties: dice.chance(10) ? null : randomProperties(dice) }),
    () => ({ publishedAt: randomMoment(dice, begun) }),
    () => ({ title: randomTitle(dice) }),
  ])();
  return patchOf(state, place, item, change);
};

export function patchOf(state: State, place: Place, item: Item, change: Partial<Item>): Write {
  const isRewritten = change.title !== undefined && change.title !== item.title;
  const { publishedAt, ...plain } = change;
  const body = { ...plain, ...(publishedAt !== undefined && { published_at: new Date(publishedAt).toISOString() }) };
  const changed: Item = { ...item, ...change };
  const after = isRewritten ? rewritten(item, changed) : changed;
  return {
    what: `PATCH ${item.id} ${JSON.stringify(body)}`,
    send: async () => void (await send(place, ['PATCH', path(item), body], [200])),
    states: [withItem(state, after)],
  };
}

const remove: Maker = (state, { dice, place }) => removalOf(state, place, anItem(state, dice));

export function removalOf(state: State, place: Place, item: Item): Write {
  return {
    what: `DELETE ${item.id}`,
    send: async () => void (await send(place, ['DELETE', path(item)], [200])),
    states: [withItem(state, { ...item, deleted: true })],
  };
}

/** Writes some items in one transaction. */
const batch: Maker = (state, { dice, place }) => {
  const items = new Set(dice.times(2, 6, () => anItem(state, dice)));
  const changed = [...items].map((item): { operation: object; after: Item } => {
    if (dice.chance(25)) return { operation: { op: 'delete', id: item.id }, after: { ...item, deleted: true } };
    const available = dice.chance(60);
    return { operation: { op: 'patch', id: item.id, data: { available } }, after: { ...item, available } };
  });
  return {
    what: `items/batch ${JSON.stringify(changed.map(({ operation }) => operation))}`,
    send: async () => {
      const operations = changed.map(({ operation }) => operation);
      await send(place, ['POST', '/items/batch', { operations }], [200]);
    },
    states: [changed.reduce((now, { after }) => withItem(now, after), state)],
  };
};

/** Finishes an analysis, the first or a later one: topics, tags, age and vectors change. */
const analysis: Maker = (state, { dice, place }) => {
  const items = [...state.items.values()].filter(({ deleted }) => !deleted);
  if (items.length === 0) return null;
  const waiting = items.filter(({ results }) => results === null);
  return analysisOf(state, place, analysed(dice, dice.pick(waiting.length > 0 && dice.chance(70) ? waiting : items)));
};

export function analysisOf(state: State, place: Place, after: Item): Write {
  return {
    what: `an analysis of ${after.id}: ${after.status}, ${JSON.stringify({ ...after.results, vectors: undefined })}`,
    send: () => storeResults(place, [after]),
    states: [withItem(state, after)],
  };
}

/** Stores the topics, tags and age of an item whose vectors are still awaited: its status stays. */
const summary: Maker = (state, { dice, place }) => {
  const begun = [...state.items.values()].filter(({ deleted, status }) => !deleted && status === 'processing');
  if (begun.length === 0) return null;
  const item = dice.pick(begun);
  const results = { ...labelsOf(dice), vectors: [], model: '' };
  return {
    what: `a summary of ${item.id}: ${JSON.stringify(results)}`,
    send: () => storeSummary(place, { id: item.id, results }),
    states: [withItem(state, { ...item, results })],
  };
};

const OF_ITEMS: readonly Maker[] = [put, put, patch, patch, patch, remove, batch, analysis, analysis, summary];

export function randomWrite(state: State, writing: Writing): Write | null {
  if (writing.dice.chance(60)) return writeOfPeople(state, writing);
  return writing.dice.pick(OF_ITEMS)(state, writing);
}
