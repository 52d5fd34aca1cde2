/**
 * Writes that forbid an item that was just shown, for its viewer or for everybody. A stale cache of a person, an
 * item or an answer would show it again.
 */
import type { Body } from './asked.ts';
import type { Write } from '../world/history.ts';
import type { Ids } from '../world/people.ts';
import { deletionOf, eventNow, eventsOf, linkOf, orderNow, orderOf, profileOf } from '../world/peopleWrites.ts';
import type { Item, State } from '../world/world.ts';
import { analysisOf, patchOf, removalOf, type Writing } from '../world/writes.ts';

export interface Probed {
  state: State;
  /** The item that was shown. */
  item: Item;
  /** The person to whom it was shown; null when the request named nobody. */
  ids: Ids | null;
  body: Body;
  writing: Writing;
}

type Probe = (probed: Probed) => Write | null;

/** Returns a probe that sends an event of the person about the item. */
const told =
  (type: string, value?: number): Probe =>
  ({ state, item, ids, writing }) =>
    ids &&
    eventsOf(state, writing, [
      eventNow(writing.people, { type, item: item.id, user: ids, ...(value !== undefined && { value }) }),
    ]);

/** Probes by name; the name appears in the table of what a run has met. */
export const PROBES: Readonly<Record<string, Probe>> = {
  hide: told('hide', 1),
  comment: told('comment'),
  watch: told('watch', 1),
  cart: told('cart'),
  dislike: told('dislike', 1),
  open: told('open'),
  order: ({ state, item, ids, writing }) => ids && orderOf(state, writing, orderNow(writing.people, item.id, ids)),
  hidden_authors: ({ state, item: { author }, ids, writing: { place } }) =>
    ids && author !== null ? profileOf(state, place, ids, { hidden_authors: [author] }) : null,
  excluded_interests: ({ state, item: { results }, ids, writing: { dice, place } }) => {
    const labels = [...(results?.topics ?? []), ...(results?.tags ?? [])];
    return ids && labels.length > 0 ? profileOf(state, place, ids, { excluded_interests: [dice.pick(labels)] }) : null;
  },
  personalization: ({ state, ids, writing: { place } }) =>
    ids && profileOf(state, place, ids, { personalization: false }),
  'deletion of the person': ({ state, ids, writing: { place } }) => ids && deletionOf(state, place, ids),
  /** The device is linked to a user who does not want the item. */
  link: ({ state, item, ids, writing }) => {
    const { dice, place, people } = writing;
    const device = ids?.user_id === undefined ? ids?.anonymous_id : undefined;
    const isFree = device !== undefined && (state.identities.get(`anonymous:${device}`)?.userKey ?? null) === null;
    if (!isFree) return null;
    const user = dice.pick(people.users);
    const comment = eventNow(people, { type: 'comment', item: item.id, user: { user_id: user } });
    const hidden = eventsOf(state, writing, [comment]);
    const linked = linkOf(hidden.states.at(-1) ?? state, place, user, device);
    return {
      what: `${hidden.what}, then ${linked.what}`,
      async send() {
        await hidden.send();
        await linked.send();
      },
      states: [...hidden.states, ...linked.states],
    };
  },
  unavailable: ({ state, item, writing: { place } }) => patchOf(state, place, item, { available: false }),
  deleted: ({ state, item, writing: { place } }) => removalOf(state, place, item),
  failed: ({ state, item, writing: { place } }) =>
    analysisOf(state, place, { ...item, status: 'failed', results: item.results && { ...item.results, vectors: [] } }),
  properties: ({ state, item, body, writing: { place } }) =>
    body.filters ? patchOf(state, place, item, { properties: null }) : null,
  author: ({ state, item, body, writing: { place } }) =>
    body.authors ? patchOf(state, place, item, { author: 'nobody' }) : null,
  published_at: ({ state, item, body, writing: { place } }) =>
    body.published_before !== undefined
      ? patchOf(state, place, item, { publishedAt: Date.parse(body.published_before) })
      : null,
};
