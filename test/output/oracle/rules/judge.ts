/** Judges one page: compares every item with every state that the request may have seen. */
import { limitOf, perAuthorOf, type Asked, type OutputAnswer } from '../requests/asked.ts';
import { viewOf, type View } from '../world/people.ts';
import { breaches, OF_THE_QUERY } from './rules.ts';
import type { Item, Rulebook, State } from '../world/world.ts';

export interface Fault {
  /** The broken rule. */
  rule: string;
  detail: string;
}

export interface Page {
  asked: Asked;
  answer: OutputAnswer;
  possible: readonly State[];
  /** Milliseconds since 1970 when the request was sent. */
  askedAt: number;
  /** The previous pages, which determine the first position of this one. */
  earlier: readonly OutputAnswer[];
}

/** Returns all faults of a page. */
export function judgePage(page: Page, rulebook: Rulebook): Fault[] {
  const { answer, earlier } = page;
  return [
    ...forbidden(page, rulebook),
    ...repeated(answer, earlier),
    ...misplaced(page),
    ...crowded(page),
    ...misnamed(page, rulebook),
    ...unexplained(page),
  ];
}

interface Possible {
  state: State;
  view: View | null;
}

const possibleOf = ({ asked, possible, askedAt }: Page, rulebook: Rulebook): Possible[] =>
  possible.map((state) => ({ state, view: viewOf(state, rulebook, asked.body.user ?? null, askedAt) }));

/** Finds forbidden items. A person and an item are read in turn, so each may be from a different moment. */
function forbidden(page: Page, rulebook: Rulebook): Fault[] {
  const all = possibleOf(page, rulebook);
  return page.answer.items.flatMap(({ id, position, reason }) => {
    const each = all.flatMap(({ state: { items } }) =>
      all.map(({ state, view }) => breaches(items.get(id), { asked: page.asked, rulebook, view, state })),
    );
    const best = each.toSorted((a, b) => a.length - b.length)[0] ?? [];
    const kept = reason.code === 'pinned' ? best.filter((rule) => !OF_THE_QUERY.includes(rule)) : best;
    return kept.map((rule) => ({ rule, detail: `${id} at ${position}` }));
  });
}

function repeated({ items }: OutputAnswer, earlier: readonly OutputAnswer[]): Fault[] {
  const before = earlier.flatMap((page) => page.items.map(({ id }) => id));
  const ids = items.map(({ id }) => id);
  return ids
    .filter((id, at) => before.includes(id) || ids.indexOf(id) < at)
    .map((id) => ({ rule: 'no repeats', detail: id }));
}

function misplaced({ asked, answer, earlier }: Page): Fault[] {
  const faults: Fault[] = [];
  const first = (earlier.at(-1)?.items.at(-1)?.position ?? -1) + 1;
  const positions = answer.items.map(({ position }) => position);
  if (positions.some((position, at) => position !== first + at))
    faults.push({ rule: 'positions go on', detail: `${positions.join(' ')}, not from ${first} on` });
  if (answer.items.length > limitOf(asked))
    faults.push({ rule: 'limit', detail: `${answer.items.length} of ${limitOf(asked)}` });
  const id = earlier[0]?.recommendation_id;
  if (id !== undefined && id !== answer.recommendation_id)
    faults.push({ rule: 'one recommendation_id', detail: `${id} and ${answer.recommendation_id}` });
  return faults;
}

/** Finds authors with too many items on a page; items whose author was being changed do not count. */
function crowded({ asked, answer, possible }: Page): Fault[] {
  const most = perAuthorOf(asked);
  if (most === null) return [];
  const counts = new Map<string, number>();
  for (const { id } of answer.items) {
    const authors = new Set(possible.map(({ items }) => items.get(id)?.author ?? null));
    const [author] = authors;
    if (authors.size === 1 && typeof author === 'string') counts.set(author, (counts.get(author) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > most)
    .map(([author, count]) => ({ rule: 'max_per_author', detail: `${count} of ${author}, not ${most}` }));
}

const PERSONAL_REASONS = ['because_item', 'interest'];

/** Finds impossible modes and reasons, and fields of another item. */
function misnamed(page: Page, rulebook: Rulebook): Fault[] {
  const { asked, answer, possible } = page;
  const faults: Fault[] = [];
  const isAnybody = possibleOf(page, rulebook).every(({ view }) => !view?.personalization);
  const isOfSubject = asked.path.subject !== 'nothing' || asked.body['context'] !== undefined;
  if (isAnybody && answer.mode === 'personal') faults.push({ rule: 'personalization', detail: 'mode personal' });
  if (isAnybody && !isOfSubject)
    for (const { id, reason } of answer.items)
      if (PERSONAL_REASONS.includes(reason.code))
        faults.push({ rule: 'personalization', detail: `${id} for ${JSON.stringify(reason)}` });
  const isLiker = possibleOf(page, rulebook).every(({ view }) => view?.personalization === true && view.likes);
  if (asked.path.name === 'feed' && isLiker && !['personal', 'fallback'].includes(answer.mode))
    faults.push({ rule: 'an event counts at once', detail: `mode ${answer.mode}` });
  for (const { id, fields } of answer.items) {
    if (!fields) continue;
    const items = possible.flatMap((state) => state.items.get(id) ?? []);
    const wrong = Object.keys(fields).filter((field) => !items.some((item) => tells(item, field, fields[field])));
    if (wrong.length > 0) faults.push({ rule: 'fields', detail: `${id}: ${wrong.join(', ')}` });
  }
  return faults;
}

/** Explanations have at least four decimal places; a factor multiplies the rounding error. */
const ROUNDING = 1e-4;

/** Finds scores that have no explanation, or do not follow from it. */
function unexplained({ asked, answer }: Page): Fault[] {
  if (asked.body.explain !== true) return [];
  return answer.items.flatMap(({ id, score, explain }) => {
    const { cosine, relevance, factor = 1 } = explain ?? {};
    const made = cosine ?? relevance;
    const isWrong = made !== undefined && Math.abs(made * factor - score) > ROUNDING * Math.max(1, factor);
    if (explain !== undefined && !isWrong && (cosine ?? 0) <= 1 + ROUNDING) return [];
    return [{ rule: 'explain', detail: `${id}: ${score} is ${JSON.stringify(explain)}` }];
  });
}

function tells(item: Item, field: string, value: unknown): boolean {
  switch (field) {
    case 'title':
      return value === item.title;
    case 'author':
      return value === item.author;
    case 'properties':
      return JSON.stringify(value ?? null).length === JSON.stringify(item.properties).length;
    default:
      return true;
  }
}
