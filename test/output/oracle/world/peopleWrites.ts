/** Random writes about people: events, orders, profiles, links and deletions, and the jobs that follow them. */
import { expandRequest } from '../../../../db/orders/expandOrders.ts';
import { moveHistoryChunk } from '../../../../db/people/moveHistory.ts';
import { purgeChunk } from '../../../../db/people/purge.ts';
import type { Dice } from '../../../reports/oracle/world/dice.ts';
import type { Write } from './history.ts';
import { afterDeletion, afterEvents, afterLink, afterProfile, type Ids } from './people.ts';
import * as pools from './pools.ts';
import { send, type Place } from './store.ts';
import type { Profile, Rulebook, State, Told } from './world.ts';

/** Data about people that is not in the state: identifiers to choose from, and accepted events. */
export interface PeopleOf {
  users: readonly string[];
  devices: readonly string[];
  rulebook: Rulebook;
  /** Ids of accepted events. */
  told: string[];
  /** Number of created events; each has a different time. */
  made: number;
}

interface Writing {
  dice: Dice;
  place: Place;
  people: PeopleOf;
}

type Maker = (state: State, writing: Writing) => Write | null;

export function randomIds(dice: Dice, { users, devices }: PeopleOf): Ids {
  const kind = dice.int(1, 100);
  if (kind <= 50) return { user_id: dice.pick(users) };
  if (kind <= 90) return { anonymous_id: dice.pick(devices) };
  return { user_id: dice.pick(users), anonymous_id: dice.pick(devices) };
}

/** Ages that are not near the limits of the types' suppression. */
const HOURS_AGO = [0, 0, 0, 2, 20, 30, 100, 160, 200, 600, 700, 800, 2_000];
const HOUR_MS = 3_600_000;

export interface SentEvent {
  id: string;
  type: string;
  item: string;
  user: Ids;
  occurred_at: string;
  value?: number;
  order_id?: string;
}

function randomEvent({ items }: State, { dice, people }: Writing): SentEvent {
  people.made += 1;
  const type = dice.pick([...people.rulebook.events.values()]);
  const hours = dice.pick(HOURS_AGO);
  return {
    id: `e-${people.made}`,
    type: type.code,
    item: dice.pick([...items.keys()]),
    user: randomIds(dice, people),
    occurred_at: momentOf(people, hours),
    ...(type.mode === 'state' && { value: dice.chance(65) ? 1 : 0 }),
    ...(type.mode === 'max' && { value: (people.made % 100) + people.made / 1e6 }),
    ...(type.code === 'purchase' && { value: 10, order_id: `o-${dice.int(1, 12)}` }),
  };
}

const events: Maker = (state, writing) => {
  const { dice } = writing;
  return eventsOf(
    state,
    writing,
    dice.times(1, dice.chance(20) ? 12 : 2, () => randomEvent(state, writing)),
  );
};

export function eventsOf(state: State, { place, people }: Omit<Writing, 'dice'>, sent: readonly SentEvent[]): Write {
  const told = sent.map(({ type, item, value = 1, occurred_at: at, user }) => ({
    ids: user,
    told: { type, item, value, at: Date.parse(at) } satisfies Told,
  }));
  return {
    what: `events ${JSON.stringify(sent)}`,
    async send() {
      const body = await send(place, ['POST', '/events', { events: sent }], [202]);
      if (body['accepted'] !== sent.length)
        throw new Error(`${JSON.stringify(sent)} was answered ${JSON.stringify(body)}`);
      people.told.push(...sent.map(({ id }) => id));
    },
    states: [afterEvents(state, people.rulebook, told)],
  };
}

/** Sends an order. Once it is answered, it counts like the events that the job makes of it. */
const order: Maker = (state, { dice, place, people }) => {
  people.made += 1;
  const items = dice.times(1, 3, () => dice.pick([...state.items.keys()]));
  const occurredAt = momentOf(people, dice.pick(HOURS_AGO));
  return orderOf(state, { place, people }, { items, user: randomIds(dice, people), occurredAt });
};

interface SentOrder {
  items: readonly string[];
  user: Ids;
  occurredAt: string;
}

export function orderOf(
  state: State,
  { place, people }: Omit<Writing, 'dice'>,
  { items, user, occurredAt }: SentOrder,
): Write {
  const sent = {
    order_id: `order-${people.made}`,
    user,
    occurred_at: occurredAt,
    items: items.map((item) => ({ item })),
  };
  const told = [...new Set(items)].map((item) => ({
    ids: user,
    told: { type: 'purchase', item, value: 1, at: Date.parse(occurredAt) } satisfies Told,
  }));
  return {
    what: `order ${JSON.stringify(sent)}`,
    send: async () => void (await send(place, ['POST', '/orders', sent], [202])),
    states: [afterEvents(state, people.rulebook, told)],
  };
}

/** Returns an order that occurs now. */
export function orderNow(people: PeopleOf, item: string, user: Ids): SentOrder {
  people.made += 1;
  return { items: [item], user, occurredAt: momentOf(people, 0) };
}

/** Returns an event that occurs now. */
export function eventNow(
  people: PeopleOf,
  { type, item, user, value }: Pick<SentEvent, 'type' | 'item' | 'user' | 'value'>,
): SentEvent {
  people.made += 1;
  return {
    id: `e-${people.made}`,
    type,
    item,
    user,
    occurred_at: momentOf(people, 0),
    ...(value !== undefined && { value }),
  };
}

/** Returns a time such that a later event of the same age is never older, and no two events share a moment. */
function momentOf({ made }: PeopleOf, hoursAgo: number): string {
  return new Date(Date.now() - hoursAgo * HOUR_MS - 60_000 + (made % 30_000)).toISOString();
}

/** Sends an event again; that changes nothing, whatever it says now. */
const retold: Maker = (state, writing) => {
  const { dice, place, people } = writing;
  if (people.told.length === 0) return null;
  const sent = { ...randomEvent(state, writing), id: dice.pick(people.told) };
  return {
    what: `told again: ${JSON.stringify(sent)}`,
    async send() {
      const body = await send(place, ['POST', '/events', { events: [sent] }], [202]);
      if (body['duplicates'] !== 1) throw new Error(`${JSON.stringify(sent)} counted again: ${JSON.stringify(body)}`);
    },
    states: [state],
  };
};

/** Repeats or takes back an earlier event of a type that is a state, such as a hide. */
const takenBack: Maker = (state, writing) => {
  const { dice, place, people } = writing;
  const states = [...state.identities.values()].flatMap(({ key, userKey, told }) =>
    told
      .filter(({ type }) => people.rulebook.events.get(type)?.mode === 'state')
      .map((one) => ({ key: userKey ?? key, one })),
  );
  if (states.length === 0) return null;
  const { key, one } = dice.pick(states);
  const [kind = '', id = ''] = key.split(':');
  const user: Ids = kind === 'user' ? { user_id: id } : { anonymous_id: id };
  const sent = { ...randomEvent(state, writing), type: one.type, item: one.item, user, value: dice.chance(70) ? 0 : 1 };
  return {
    what: `event ${JSON.stringify(sent)}`,
    async send() {
      await send(place, ['POST', '/events', { events: [sent] }], [202]);
      people.told.push(sent.id);
    },
    states: [
      afterEvents(state, people.rulebook, [
        { ids: user, told: { type: sent.type, item: sent.item, value: sent.value, at: Date.parse(sent.occurred_at) } },
      ]),
    ],
  };
};

const profile: Maker = (state, { dice, place, people }) => {
  const ids = randomIds(dice, people);
  const listOf = (pool: readonly string[], most: number) =>
    dice.chance(20) ? null : dice.times(0, most, () => dice.pick(pool));
  const change: Partial<Profile> = Object.assign(
    {},
    ...dice.times(1, 2, () =>
      dice.pick([
        () => ({ excluded_interests: listOf(pools.UNWANTED, 2) }),
        () => ({ excluded_interests: listOf(pools.UNWANTED, 3) }),
        () => ({ hidden_authors: listOf(pools.AUTHORS, 2) }),
        () => ({ hidden_authors: listOf(pools.AUTHORS, 1) }),
        () => ({ followed_authors: listOf(pools.AUTHORS, 2) }),
        () => ({ interests: listOf(pools.WANTED, 3) }),
        () => ({ city: dice.pick(pools.CITIES) }),
        () => ({ personalization: dice.pick([true, false, null]) }),
      ])(),
    ),
  );
  return profileOf(state, place, ids, change);
};

export function profileOf(state: State, place: Place, ids: Ids, change: Partial<Profile>): Write {
  return {
    what: `profile of ${JSON.stringify(ids)}: ${JSON.stringify(change)}`,
    send: async () => void (await send(place, ['POST', '/users/profile', { user: ids, ...change }], [200])),
    states: [afterProfile(state, ids, change)],
  };
}

const link: Maker = (state, { dice, place, people }) =>
  linkOf(state, place, dice.pick(people.users), dice.pick(people.devices));

export function linkOf(state: State, place: Place, userId: string, anonymousId: string): Write {
  return {
    what: `link of ${anonymousId} to ${userId}`,
    send: async () =>
      void (await send(place, ['POST', '/users/link', { user_id: userId, anonymous_id: anonymousId }], [200])),
    states: [afterLink(state, userId, anonymousId)],
  };
}

const deletion: Maker = (state, { dice, place, people }) => deletionOf(state, place, randomIds(dice, people));

export function deletionOf(state: State, place: Place, ids: Ids): Write {
  return {
    what: `deletion of ${JSON.stringify(ids)}`,
    send: async () => void (await send(place, ['POST', '/users/delete', { user: ids }], [200])),
    states: [afterDeletion(state, ids)],
  };
}

/** Runs the workflow's jobs after orders, links and deletions, which must not change any answer. */
const jobs: Maker = (state, { place }) => ({
  what: 'the jobs of orders, links and deletions',
  send: () => doJobs(place),
  states: [state],
});

async function doJobs({ pool, projectId }: Place): Promise<void> {
  const requests = await pool.query<{ id: string }>('select id from order_requests where project_id = $1 order by id', [
    projectId,
  ]);
  for (const { id } of requests.rows) while (!(await expandRequest(pool, projectId, id, 100)).isDone);
  const { rows } = await pool.query<{ kind: string; id: string }>(
    `select kind, entity_id as id from jobs where project_id = $1 and kind in ('user-link', 'user-delete') order by entity_id`,
    [projectId],
  );
  const common = { projectId, limit: 1_000, isLastPass: true };
  for (const { kind, id } of rows) {
    const chunk = (): Promise<{ state: string }> =>
      kind === 'user-link'
        ? moveHistoryChunk(pool, { ...common, deviceId: id })
        : purgeChunk(pool, { ...common, rootId: id });
    while ((await chunk()).state !== 'over');
  }
}

const MAKERS: readonly Maker[] = [
  ...Array.from({ length: 8 }, () => events),
  ...Array.from({ length: 4 }, () => profile),
  order,
  order,
  takenBack,
  takenBack,
  retold,
  link,
  deletion,
  jobs,
];

export const writeOfPeople: Maker = (state, writing) => writing.dice.pick(MAKERS)(state, writing);
