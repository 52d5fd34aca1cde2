/** The rules of what may be shown, one by one: which of them an item breaks. */
import { includesSeen, minusWords, phrasesOf, subjectsOf, type Asked } from '../requests/asked.ts';
import { passes } from '../requests/filters.ts';
import { matchOf, stems, stemsInOrder } from './interests.ts';
import { areSame } from './likeness.ts';
import type { View } from '../world/people.ts';
import { AGES, type Item, type Rulebook, type State } from '../world/world.ts';

export interface Judged {
  asked: Asked;
  rulebook: Rulebook;
  /** Null for nobody and for an unknown person. */
  view: View | null;
  /** The state in which the items that the view suppresses are looked up. */
  state: State;
}

/** Rules of the search query, which do not apply to pins. */
export const OF_THE_QUERY: readonly string[] = ['minus word', 'phrase'];

/** Returns the names of the rules that forbid the item; empty when it may be shown. */
export function breaches(item: Item | undefined, judged: Judged): string[] {
  if (!item) return ['unknown item'];
  return [...ofItem(item), ...ofRequest(item, judged), ...ofPerson(item, judged)];
}

function ofItem({ available, deleted, status }: Item): string[] {
  return [
    ...(available ? [] : ['unavailable']),
    ...(deleted ? ['deleted'] : []),
    ...(status === 'failed' ? ['failed'] : []),
  ];
}

function ofRequest(item: Item, { asked, rulebook }: Judged): string[] {
  const { body } = asked;
  const broken: string[] = [];
  for (const filter of body.filters ?? [])
    if (!passes(filter, item.properties, rulebook)) {
      const isMissing = (item.properties?.[filter.property] ?? null) === null;
      const type = rulebook.properties.get(filter.property) ?? '';
      broken.push(isMissing ? `filter ${filter.op} (missing)` : `filter ${filter.op} ${type}`);
    }
  if (body.types && !body.types.includes(item.type)) broken.push('types');
  if (body.authors && (item.author === null || !body.authors.includes(item.author))) broken.push('authors');
  if (item.author !== null && body.exclude_authors?.includes(item.author)) broken.push('exclude_authors');
  if (body.published_after !== undefined && item.publishedAt < Date.parse(body.published_after))
    broken.push('published_after');
  if (body.published_before !== undefined && item.publishedAt >= Date.parse(body.published_before))
    broken.push('published_before');
  if (body.max_age_rating !== undefined) broken.push(...ofAge(item, AGES.indexOf(body.max_age_rating)));
  if (body.exclude?.includes(item.id)) broken.push('exclude');
  if (subjectsOf(asked).includes(item.id)) broken.push('subject');
  const texts = [item.title, item.description ?? '', ...(item.results?.topics ?? []), ...(item.results?.tags ?? [])];
  if (minusWords(body.query ?? '').some((word) => stems(texts.join(' ')).includes(stems(word)[0] ?? '')))
    broken.push('minus word');
  if (phrasesOf(body.query ?? '').some((phrase) => !texts.some((text) => hasPhrase(text, phrase))))
    broken.push('phrase');
  return broken;
}

const hasPhrase = (text: string, phrase: string): boolean =>
  ` ${stemsInOrder(text).join(' ')} `.includes(` ${stemsInOrder(phrase).join(' ')} `);

function ofAge({ results }: Item, most: number): string[] {
  const age = results?.age ?? null;
  if (age === null) return ['max_age_rating (unknown)'];
  return AGES.indexOf(age) > most ? ['max_age_rating'] : [];
}

function ofPerson(item: Item, { asked, rulebook, view, state }: Judged): string[] {
  if (view === null) return [];
  const broken: string[] = [];
  const hidden = view.hidden.get(item.id);
  if (hidden !== undefined) broken.push(`hidden by a ${hidden}`);
  if (item.author !== null && view.hiddenAuthors.has(item.author)) broken.push('hidden_authors');
  broken.push(...ofInterests(item, view.excludedInterests));
  if (view.suppressed.has(item.id)) broken.push('suppressed');
  else if ([...view.suppressed].some((id) => areSame(state.items.get(id)?.results ?? null, item.results)))
    broken.push('suppressed by likeness');
  if ([...view.suppressed].some((id) => rulebook.companions.get(id)?.has(item.id)))
    broken.push('suppressed as a companion');
  if (!includesSeen(asked) && view.personalization && view.seen.has(item.id)) broken.push('seen');
  return broken;
}

function ofInterests({ results }: Item, excluded: readonly string[]): string[] {
  const labels = results === null ? [] : [...results.topics, ...results.tags];
  const how = new Set(labels.flatMap((label) => excluded.map((text) => matchOf(text, label))));
  // A wording that matches by its words proves nothing about the dictionary.
  if (how.has('stem')) return ['excluded_interests by stem'];
  if (how.has('dictionary')) return ['excluded_interests by dictionary'];
  return how.has('wider topic') ? ['excluded_interests by a wider topic'] : [];
}
