/** The rules and modes that a run must have exercised, so that an oracle that exercises nothing does not pass. */
import { OPS } from './requests/filters.ts';
import type { Path, PathName } from './requests/paths.ts';
import { PROPERTIES } from './world/pools.ts';
import { PROBES } from './requests/probes.ts';
import type { Tally } from './rules/tally.ts';

const FILTERS = [...new Set(PROPERTIES.values())].flatMap((type) =>
  OPS[type].filter((op) => op !== 'exists').map((op) => `filter ${op} ${type}`),
);
/** A missing value fails every operator but neq and not_in; a present value fails exists: false. */
const MISSING = [...new Set(Object.values(OPS).flat())].filter((op) => op !== 'neq' && op !== 'not_in');

/** Rules of every path. */
const RULES = [
  'unavailable',
  'deleted',
  'failed',
  ...FILTERS,
  ...MISSING.map((op) => `filter ${op} (missing)`),
  'types',
  'authors',
  'exclude_authors',
  'published_after',
  'published_before',
  'max_age_rating',
  'max_age_rating (unknown)',
  'exclude',
  'subject',
  'hidden by a fact',
  'hidden by a max',
  'hidden by a state',
  'hidden_authors',
  'excluded_interests by a wider topic',
  'excluded_interests by dictionary',
  'excluded_interests by stem',
  'suppressed',
  'suppressed by likeness',
  'suppressed as a companion',
  'seen',
  'limit',
  'no repeats',
  'the same page again',
  ...Object.keys(PROBES).map((kind) => `at once: ${kind}`),
];

/** Rules of some paths, or of a field that only some accept. */
const FURTHER: readonly (readonly [rule: string, path: PathName, field: string])[] = [
  ['max_per_author', 'feed', 'limit'],
  ['pin', 'feed', 'pins'],
  ['pin that a rule forbids', 'feed', 'pins'],
  ['minus word', 'search', 'query'],
  ['phrase', 'search', 'query'],
  ['total', 'search', 'query'],
  ['facets', 'search', 'facets'],
  ['a suggestion leads to a hit', 'suggest', 'query'],
];

const MODES: readonly (readonly [path: PathName, mode: string])[] = [
  ['feed', 'personal'],
  ['feed', 'popular'],
  ['feed', 'fallback'],
  ['similar', 'contextual'],
  ['similar', 'fallback'],
  ['next', 'contextual'],
  ['next', 'personal'],
  ['next', 'fallback'],
  ['together', 'contextual'],
  ['together', 'fallback'],
  ['popular', 'popular'],
  ['popular', 'fallback'],
  ['search', 'hybrid'],
  ['search', 'lexical'],
  ['search', 'fallback'],
];

/** Lists rules that no item would have broken, and modes that no answer had. */
export function missed(tally: Tally, paths: ReadonlyMap<Path, ReadonlySet<string>>): string[] {
  const fieldsOf = (name: PathName): ReadonlySet<string> | undefined =>
    [...paths].find(([path]) => path.name === name)?.[1];
  return [
    ...RULES.filter((rule) => !tally.chances.has(rule)),
    ...FURTHER.filter(([rule, path, field]) => fieldsOf(path)?.has(field) && !tally.chances.has(rule)).map(
      ([rule]) => rule,
    ),
    ...MODES.map(([path, mode]) => [path, `${path} ${mode}`] as const)
      .filter(([path, key]) => fieldsOf(path) && !tally.answers.has(key))
      .map(([, key]) => key),
  ];
}
