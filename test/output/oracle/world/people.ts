/** Identifiers, links, deletions and unwanted items of people, derived naively from everything that was sent. */
import {
  NO_PROFILE,
  withIdentities,
  type EventKind,
  type Identity,
  type Profile,
  type Rulebook,
  type State,
  type Told,
} from './world.ts';

/** The user of a request or an event. */
export interface Ids {
  user_id?: string;
  anonymous_id?: string;
}

const DAY_MS = 86_400_000;

/** Returns the identifier that takes precedence. */
export function keyOf({ user_id: user, anonymous_id: device }: Ids): string | null {
  if (user !== undefined) return `user:${user}`;
  return device === undefined ? null : `anonymous:${device}`;
}

const newIdentity = (key: string): Identity => ({ key, userKey: null, told: [], profile: NO_PROFILE });

const identityOf = (state: State, key: string): Identity => state.identities.get(key) ?? newIdentity(key);

/** Returns the state after events; a device's events are kept under its user. */
export function afterEvents(state: State, rulebook: Rulebook, events: readonly { ids: Ids; told: Told }[]): State {
  return events.reduce((now, { ids, told }) => {
    const key = keyOf(ids);
    if (key === null || rulebook.events.get(told.type)?.isImpression !== false) return now;
    const found = identityOf(now, key);
    const owner = found.userKey === null ? found : identityOf(now, found.userKey);
    return withIdentities(now, [{ ...owner, told: [...owner.told, told] }]);
  }, state);
}

/** Returns the state after a profile is written, always under exactly that identifier, even for a linked device. */
export function afterProfile(state: State, ids: Ids, change: Partial<Profile>): State {
  const key = keyOf(ids);
  if (key === null) return state;
  const identity = identityOf(state, key);
  return withIdentities(state, [{ ...identity, profile: { ...identity.profile, ...change } }]);
}

/**
 * Returns the state after a link: the device becomes the user's unless it is another's, and fills in what the user
 * has not set.
 */
export function afterLink(state: State, userId: string, anonymousId: string): State {
  const [user, device] = [identityOf(state, `user:${userId}`), identityOf(state, `anonymous:${anonymousId}`)];
  if (device.userKey !== null && device.userKey !== user.key) return withIdentities(state, [user, device]);
  const profile = Object.fromEntries(
    Object.entries(user.profile).map(([field, value]) => [field, value ?? device.profile[field as keyof Profile]]),
  ) as unknown as Profile;
  return withIdentities(state, [
    { ...user, profile },
    { ...device, userKey: user.key, profile: NO_PROFILE },
  ]);
}

/** Returns the state after a deletion of everybody whom one of the identifiers names, with all devices. */
export function afterDeletion(state: State, { user_id: user, anonymous_id: device }: Ids): State {
  const named = [
    ...(user === undefined ? [] : [`user:${user}`]),
    ...(device === undefined ? [] : [`anonymous:${device}`]),
  ];
  const roots = named.flatMap((key) => {
    const found = state.identities.get(key);
    return found ? [found.userKey ?? found.key] : [];
  });
  const gone = [...state.identities.values()].filter(({ key, userKey }) => roots.includes(userKey ?? key));
  return withIdentities(
    state,
    [],
    gone.map(({ key }) => key),
  );
}

/** The properties of a person that the rules need. */
export interface View {
  key: string;
  personalization: boolean;
  /** The mode of the event type that hid an item, by item. */
  hidden: ReadonlyMap<string, EventKind['mode']>;
  hiddenAuthors: ReadonlySet<string>;
  excludedInterests: readonly string[];
  followedAuthors: readonly string[];
  interests: readonly string[];
  /** Items that an event suppresses. */
  suppressed: ReadonlySet<string>;
  /** Items with any event but an impression. */
  seen: ReadonlySet<string>;
  /** Whether an event of the last days certainly speaks for an item. */
  likes: boolean;
}

/**
 * Returns the person of a request: the one whom its first identifier names, with all devices.
 * @param now milliseconds since 1970
 * @returns null for nobody and for an unknown person
 */
export function viewOf(state: State, { events, companions }: Rulebook, ids: Ids | null, now: number): View | null {
  const key = ids && keyOf(ids);
  const named = key === null ? undefined : state.identities.get(key);
  if (!named) return null;
  const root = named.userKey ?? named.key;
  const members = [...state.identities.values()].filter((one) => one.key === root || one.userKey === root);
  const told = members.flatMap((member) => member.told);
  const marks = [...events.values()].flatMap((type) => marksOf(told, type).map((mark) => ({ type, mark })));
  const profiles = members.map(({ profile }) => profile);
  return {
    key: root,
    personalization: profiles.every(({ personalization }) => personalization !== false),
    hidden: new Map(marks.filter(({ type }) => type.hides).map(({ type, mark }) => [mark.item, type.mode])),
    hiddenAuthors: new Set(profiles.flatMap((profile) => profile.hidden_authors ?? [])),
    excludedInterests: profiles.flatMap((profile) => profile.excluded_interests ?? []),
    followedAuthors: profiles.flatMap((profile) => profile.followed_authors ?? []),
    interests: profiles.flatMap((profile) => profile.interests ?? []),
    suppressed: new Set(
      marks.filter(({ type, mark }) => mark.at + type.suppressDays * DAY_MS > now).map(({ mark }) => mark.item),
    ),
    seen: new Set(told.map(({ item }) => item)),
    likes: hasLiked(told, now, companions),
  };
}

const LIKING = ['open', 'share', 'purchase', 'cart'];
const NEUTRAL = ['view', 'watch', 'comment'];
const LIKED_WITHIN_MS = 8 * DAY_MS;

/**
 * Reports whether there is a fact of weight above 0 about an item without any other event. It has to be an item that
 * the model knows: one without a row and without near content says nothing about a taste.
 */
function hasLiked(told: readonly Told[], now: number, companions: Rulebook['companions']): boolean {
  const against = new Set(told.filter(({ type }) => ![...LIKING, ...NEUTRAL].includes(type)).map(({ item }) => item));
  return told.some(
    ({ type, item, at }) =>
      LIKING.includes(type) &&
      now - at < LIKED_WITHIN_MS &&
      !against.has(item) &&
      (companions.get(item)?.size ?? 0) > 0,
  );
}

/**
 * Returns the events of a type that count: all facts, the maximum of each item, or the latest state of each item
 * unless it is taken back.
 */
function marksOf(told: readonly Told[], { code, mode }: EventKind): Told[] {
  const own = told.filter(({ type }) => type === code);
  if (mode === 'fact') return own;
  const counting = new Map<string, Told>();
  for (const one of own) {
    const known = counting.get(one.item);
    if (!known || (mode === 'max' ? one.value > known.value : one.at > known.at)) counting.set(one.item, one);
  }
  return [...counting.values()].filter(({ value }) => mode === 'max' || value !== 0);
}
