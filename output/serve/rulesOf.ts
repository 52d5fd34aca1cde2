/** The rules of one request, from what it says and from what is known of its person. */
import type { OutputPerson } from '../../db/output/person.ts';
import type { ShowRules } from '../../domain/output/mayShow.ts';
import { interestKeys } from '../interests.ts';
import type { NamedPath } from './paths.ts';
import type { OutputRequest } from './request.ts';

/** What a person excludes holds whatever they say of personalization. */
export function rulesOf(request: OutputRequest<NamedPath>, person: OutputPerson | null): ShowRules {
  const { types, authors } = request;
  return {
    filters: request.filters,
    types: types && new Set(types),
    authors: authors && new Set(authors),
    excludedAuthors: new Set([...request.excludedAuthors, ...(person?.hiddenAuthors ?? [])]),
    publishedAfter: request.publishedAfter,
    publishedBefore: request.publishedBefore,
    maxAgeRating: request.maxAgeRating,
    excludedItems: new Set([
      ...request.subjects,
      ...request.exclude,
      ...(person?.hiddenItems ?? []),
      ...(person?.suppressedItems ?? []),
    ]),
    excludedInterests: new Set(interestKeys(person?.excludedInterests ?? [])),
  };
}

/** Items with which others are compared: each is one comparison more of every candidate. */
const MOST_COMPARED = 200;

/** Items whose like is not wanted; of a longer list the latest. */
export function suppressedFor(person: OutputPerson | null): readonly string[] {
  return (person?.suppressedItems ?? []).slice(0, MOST_COMPARED);
}
