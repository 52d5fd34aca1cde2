/** Pins are at their positions when no rule forbids them. */
import { limitOf, perAuthorOf, type AnswerItem } from '../requests/asked.ts';
import type { Fault, Page } from './judge.ts';
import { viewOf } from '../world/people.ts';
import { mayBeSame } from './likeness.ts';
import { breaches, OF_THE_QUERY } from './rules.ts';
import type { Tally } from './tally.ts';
import type { Rulebook } from '../world/world.ts';

/** Judges the pins of a page, unless a write was in progress when it was requested. */
export function judgePins(
  { asked, answer, possible, askedAt, earlier }: Page,
  rulebook: Rulebook,
  tally: Tally,
): Fault[] {
  const [state] = possible;
  const pins = asked.body.pins ?? [];
  if (pins.length === 0 || !state || possible.length > 1) return [];
  // When two pins share an item or a position, either may win and move a third.
  const areApart = [pins.map(({ item }) => item), pins.map(({ position }) => position)].every(
    (values) => new Set<unknown>(values).size === values.length,
  );
  const most = perAuthorOf(asked) ?? Infinity;
  const authors = pins.map(({ item }) => state.items.get(item)?.author ?? null);
  const isCrowded = (author: string | null): boolean =>
    author !== null && authors.filter((other) => other === author).length > most;
  const view = viewOf(state, rulebook, asked.body.user ?? null, askedAt);
  const first = (earlier.at(-1)?.items.at(-1)?.position ?? -1) + 1;
  const before = new Set(earlier.flatMap(({ items }) => items.map(({ id }) => id)));
  return pins.flatMap(({ item: id, position }, at): Fault[] => {
    // Pins beyond the end of an answer move up to it, so a pin is judged only if an unpinned item follows it.
    const isOfPage =
      position >= first &&
      position < first + limitOf(asked) &&
      answer.items.some((shown) => shown.position > position && shown.reason.code !== 'pinned');
    const broken = breaches(state.items.get(id), { asked, rulebook, view, state }).filter(
      (rule) => !OF_THE_QUERY.includes(rule),
    );
    if (broken.length > 0) tally.chance('pin that a rule forbids');
    const results = state.items.get(id)?.results ?? null;
    // Near the threshold either answer is right.
    if ([...(view?.suppressed ?? [])].some((other) => mayBeSame(state.items.get(other)?.results ?? null, results)))
      return [];
    if (!isOfPage || !areApart || isCrowded(authors[at] ?? null) || broken.length > 0 || before.has(id)) return [];
    tally.chance('pin');
    const shown: AnswerItem | undefined = answer.items[position - first];
    return shown?.id === id
      ? []
      : [{ rule: 'pin', detail: `${id} is not at ${position}, where ${shown?.id ?? 'nothing'} is` }];
  });
}
