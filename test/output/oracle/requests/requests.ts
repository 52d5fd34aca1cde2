/** Random requests: a path, usually a person, and at most three conditions that exclude items, so that some remain. */
import type { Dice } from '../../../reports/oracle/world/dice.ts';
import type { Asked, Body } from './asked.ts';
import { OPS, type Filter } from './filters.ts';
import type { Path } from './paths.ts';
import { randomIds, type PeopleOf } from '../world/peopleWrites.ts';
import * as pools from '../world/pools.ts';
import type { Surfaces } from './surfaces.ts';
import { AGES, TYPES, type State } from '../world/world.ts';

export interface Asking {
  dice: Dice;
  people: PeopleOf;
  /** The paths of the API, each with its fields. */
  paths: ReadonlyMap<Path, ReadonlySet<string>>;
}

/** Two surfaces that a world has, and one that it lacks. */
export const SURFACES = ['main', 'trial', 'none'] as const;

type Condition = (dice: Dice, state: State) => Body;

const idsOf = ({ items }: State): string[] => [...items.keys()];
const aMoment = (dice: Dice, { items }: State): string =>
  new Date(
    dice.pick([...items.values()]).publishedAt + (dice.chance(50) ? 0 : dice.int(-3, 3) * 86_400_000),
  ).toISOString();

/** Conditions that exclude items. */
const CONDITIONS: readonly Condition[] = [
  (dice) => ({ filters: dice.times(1, dice.chance(70) ? 1 : 3, () => randomFilter(dice)) }),
  ...Array.from({ length: 4 }, (): Condition => (dice) => ({ filters: [randomFilter(dice)] })),
  (dice) => ({ types: [...new Set(dice.times(1, 3, () => dice.pick(TYPES)))] }),
  (dice) => ({ authors: dice.times(1, 4, () => dice.pick(pools.AUTHORS)) }),
  (dice) => ({ exclude_authors: dice.times(0, 3, () => dice.pick(pools.AUTHORS)) }),
  (dice, state) => ({ published_after: aMoment(dice, state) }),
  (dice, state) => ({ published_before: aMoment(dice, state) }),
  (dice) => ({ max_age_rating: dice.pick(AGES) }),
  (dice, state) => ({ exclude: dice.times(0, 20, () => dice.pick(idsOf(state))) }),
  (dice) => ({ include_seen: dice.chance(50) }),
];

/** Conditions that change the order or the details of the answer. */
const WISHES: readonly Condition[] = [
  (dice) => ({ max_per_author: dice.pick([1, 2, 5, 100]) }),
  (dice, state) => ({ pins: dice.times(1, 5, () => ({ item: dice.pick(idsOf(state)), position: dice.int(0, 12) })) }),
  (dice) => ({
    boosts: dice.times(1, 3, () => ({ filter: randomFilter(dice), factor: dice.pick([0.1, 0.5, 2, 10]) })),
  }),
  (dice) => ({ diversity: dice.pick([0, 0.5, 1]) }),
  (dice) => ({ exploration: dice.pick([0, 0.3]) }),
  (dice) => ({ rotation_hours: dice.pick([0, 1, 168]) }),
  (dice) => ({ context: { city: dice.pick(pools.CITIES), country: 'RU' } }),
  (dice) => ({ fields: ['title', 'author', ...(dice.chance(50) ? ['properties', 'tags', 'summary'] : [])] }),
  () => ({ explain: true }),
  (dice) => ({ surface: dice.pick(SURFACES) }),
  (dice) => ({ surface: dice.pick(SURFACES) }),
  (dice) => ({ period: dice.pick(['1d', '7d', '30d', '365d']), kind: dice.pick(['total', 'trending']) }),
  (dice) => ({ region: dice.pick(pools.CITIES) }),
  (dice) => ({ semantic: dice.pick(['auto', 0, 0.5, 1]) }),
  (dice) => ({ typos: dice.chance(50), prefix: dice.chance(50) }),
  (dice) => ({ personal: dice.pick([0, 0.5, 1]) }),
  (dice) => ({
    sort: { by: dice.pick(['published_at', 'popular', 'level', 'made', 'relevance']), dir: dice.pick(['asc', 'desc']) },
  }),
  (dice) => ({ highlight: dice.chance(50) }),
  () => ({ facets: ['types', 'authors', 'tags', 'topics', ...pools.PROPERTIES.keys()] }),
  () => ({ facets: ['types', 'authors'] }),
];

/** Fields that a surface may set for every path. */
const OF_SURFACES: readonly Condition[] = [
  ...CONDITIONS,
  (dice) => ({ limit: dice.pick([2, 5, 20]) }),
  (dice) => ({ max_per_author: dice.pick([1, 2, 5]) }),
  (dice, state) => ({ pins: dice.times(1, 3, () => ({ item: dice.pick(idsOf(state)), position: dice.int(0, 4) })) }),
];

export function randomSurfaces(dice: Dice, state: State): Surfaces {
  const settings = (most: number): Body =>
    Object.assign({}, ...dice.times(1, most, () => dice.pick(OF_SURFACES)(dice, state)));
  return new Map([
    ['main', { defaults: settings(2), variants: [] }],
    ['trial', { defaults: settings(1), variants: [settings(2), settings(2)] }],
  ]);
}

export function randomRequest(state: State, { dice, people, paths }: Asking): Asked {
  const [path, fields] = dice.pick([...paths]);
  const body: Body = Object.assign(
    {},
    dice.chance(85)
      ? { user: dice.chance(95) ? randomIds(dice, people) : { user_id: `stranger-${dice.int(1, 9)}` } }
      : {},
    dice.chance(70) ? { limit: dice.pick([1, 2, 5, 10, 10, 50, 100, 100]) } : {},
    ...dice.times(0, dice.pick([1, 1, 2, 3]), () => dice.pick(CONDITIONS)(dice, state)),
    ...dice.times(0, 4, () => dice.pick(WISHES)(dice, state)),
    aboutWhat(path, dice, state),
  );
  if (path.name === 'suggest' && body.limit !== undefined) body.limit = Math.min(20, body.limit);
  return { path, body: Object.fromEntries(Object.entries(body).filter(([field]) => fields.has(field))) };
}

function aboutWhat({ name, subject }: Path, dice: Dice, state: State): Body {
  switch (subject) {
    case 'item':
      return { item: dice.pick(idsOf(state)) };
    case 'session':
      return dice.chance(40)
        ? { item: dice.pick(idsOf(state)) }
        : { items: dice.times(1, 8, () => dice.pick(idsOf(state))) };
    case 'cart':
      return { items: dice.times(1, 5, () => dice.pick(idsOf(state))) };
    case 'query':
      return { query: name === 'suggest' ? randomBeginning(dice) : randomQuery(dice) };
    default:
      return {};
  }
}

function randomQuery(dice: Dice): string {
  if (dice.chance(25)) return '';
  if (dice.chance(5)) return `-${dice.pick(pools.MINUS_WORDS)}`;
  if (dice.chance(8)) return `"${randomPhrase(dice)}"`;
  const words = dice.times(1, 2, () => dice.pick(pools.QUERY_WORDS));
  const minus = dice.chance(35) ? dice.times(1, 2, () => `-${dice.pick(pools.MINUS_WORDS)}`) : [];
  return [...words, ...minus].join(' ');
}

/** Returns two words of a title, usually in their order. */
function randomPhrase(dice: Dice): string {
  const words = dice.pick(pools.TITLES).split(' ');
  const from = dice.int(0, words.length - 2);
  const two = words.slice(from, from + 2);
  return (dice.chance(75) ? two : two.toReversed()).join(' ');
}

function randomBeginning(dice: Dice): string {
  const word = dice.pick(dice.chance(80) ? pools.QUERY_WORDS : pools.AUTHORS);
  return word.slice(0, dice.int(1, word.length));
}

const CONDITIONS_OF_PROPERTIES = [...pools.PROPERTIES].flatMap(([property, type]) =>
  OPS[type].map((op) => [property, type, op] as const),
);

function randomFilter(dice: Dice): Filter {
  const [property, type, op] = dice.pick(CONDITIONS_OF_PROPERTIES);
  const one = (): unknown =>
    ({
      number: () => dice.pick([...pools.LEVELS, 7]),
      string: () => dice.pick([...pools.PROPERTY_COLOURS, 'blue']),
      boolean: () => dice.chance(50),
      datetime: () => dice.pick(pools.MOMENTS),
      string_array: () => dice.pick([...pools.SIZES, 'xxl']),
    })[type]();
  if (op === 'exists') return { property, op, value: dice.chance(50) };
  const isList = ['in', 'not_in', 'contains_any', 'contains_all'].includes(op);
  return { property, op, value: isList ? dice.times(1, 3, one) : one() };
}
