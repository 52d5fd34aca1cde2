/** Totals and facets equal what all pages together contain. */
import type { AnswerItem, Asked, OutputAnswer } from '../requests/asked.ts';
import type { Fault } from './judge.ts';
import type { Tally } from './tally.ts';
import type { Item, State } from '../world/world.ts';

interface Counted {
  asked: Asked;
  first: OutputAnswer;
  shown: readonly AnswerItem[];
  state: State;
}

export function judgeCounts({ asked, first, shown, state }: Counted, tally: Tally): Fault[] {
  const faults: Fault[] = [];
  const { total, facets = {} } = first;
  tally.chance('total');
  if (total?.value !== shown.length || total.relation !== 'eq')
    faults.push({ rule: 'total', detail: `${JSON.stringify(total)}, but the pages have ${shown.length}` });
  const items = shown.flatMap(({ id }) => state.items.get(id) ?? []);
  for (const name of asked.body.facets ?? []) {
    tally.chance('facets');
    const expected = count(items.flatMap((item) => [...new Set(valuesOf(item, name))]));
    const got = new Map((facets[name] ?? []).map(({ value, count: n }) => [keyOf(name, value), n]));
    const wrong = [...new Set([...expected.keys(), ...got.keys()])].filter((key) => expected.get(key) !== got.get(key));
    if (wrong.length > 0)
      faults.push({
        rule: 'facets',
        detail: `${name}: ${wrong.map((key) => `${key} ${got.get(key) ?? 0}, not ${expected.get(key) ?? 0}`).join('; ')}`,
      });
  }
  return faults;
}

/** The same moment in any time zone is one value. */
const keyOf = (name: string, value: unknown): string =>
  name === 'made' ? new Date(String(value)).toISOString() : JSON.stringify(value);

function valuesOf({ type, author, results, properties }: Item, name: string): string[] {
  const own = {
    types: [type],
    authors: author === null ? [] : [author],
    tags: results?.tags ?? [],
    topics: results?.topics ?? [],
  }[name];
  const given = own ?? properties?.[name] ?? [];
  return (Array.isArray(given) ? given : [given]).map((value) => keyOf(name, value));
}

function count(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
