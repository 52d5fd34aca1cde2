/**
 * Writes that forbid what was shown a moment ago: to whom it was shown, or to everybody. Whoever remembers a person, an
 * item or an answer shows it again.
 */
import type { Body } from './asked.ts';
import type { Write } from './history.ts';
import { keyOf, type Ids } from './people.ts';
import { deletionOf, eventNow, eventsOf, linkOf, profileOf } from './peopleWrites.ts';
import type { Item, State } from './world.ts';
import { analysisOf, patchOf, removalOf, type Writing } from './writes.ts';

export interface Probed {
  state: State;
  /** What was shown. */
  item: Item;
  /** To whom; null for nobody who could be known. */
  ids: Ids | null;
  body: Body;
  writing: Writing;
}

type Probe = (probed: Probed) => Write | null;

/** An event of the person about the item. */
const told =
  (type: string, value?: number): Probe =>
  ({ state, item, ids, writing }) =>
    ids &&
    eventsOf(state, writing, [
      eventNow(writing.people, { type, item: item.id, user: ids, ...(value !== undefined && { value }) }),
    ]);

/** By what it tells: the probe that was made shows in the table of what was met. */
export const PROBES: Readonly<Record<string, Probe>> = {
  hide: told('hide', 1),
  comment: told('comment'),
  watch: told('watch', 1),
  cart: told('cart'),
  dislike: told('dislike', 1),
  open: told('open'),
  hidden_authors: ({ state, item: { author }, ids, writing: { place } }) =>
    ids && author !== null ? profileOf(state, place, ids, { hidden_authors: [author] }) : null,
  excluded_interests: ({ state, item: { results }, ids, writing: { dice, place } }) => {
    const labels = [...(results?.topics ?? []), ...(results?.tags ?? [])];
    return ids && labels.length > 0 ? profileOf(state, place, ids, { excluded_interests: [dice.pick(labels)] }) : null;
  },
  personalization: ({ state, ids, writing: { place } }) =>
    ids && profileOf(state, place, ids, { personalization: false }),
  'deletion of the person': ({ state, ids, writing: { place } }) => ids && deletionOf(state, place, ids),
  /** The device becomes that of a user who does not want the item. */
  link: ({ state, item, ids, writing: { place, people } }) => {
    const device = ids?.user_id === undefined ? ids?.anonymous_id : undefined;
    const isFree = device !== undefined && (state.identities.get(`anonymous:${device}`)?.userKey ?? null) === null;
    const user = people.users.find((one) => isHiding(state, one, item));
    return device !== undefined && isFree && user !== undefined ? linkOf(state, place, user, device) : null;
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

function isHiding(state: State, userId: string, { id, author }: Item): boolean {
  const user = state.identities.get(keyOf({ user_id: userId }) ?? '');
  const hiding = user?.told.filter(({ type, item }) => type === 'comment' && item === id) ?? [];
  return hiding.length > 0 || (author !== null && (user?.profile.hidden_authors?.includes(author) ?? false));
}
