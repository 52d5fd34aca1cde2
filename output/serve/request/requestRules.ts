/**
 * Derives the rules of one request from the request and from what is known about its person. Items that the person has
 * seen are left out in openRequest.ts; pathsAndDefaults.ts has the default.
 */
import type { OutputPerson } from '../../../db/output/person/person.ts';
import type { ShowRules } from '../../../domain/output/mayShow.ts';
import { interestKeys } from '../../interests.ts';
import type { NamedPath } from './pathsAndDefaults.ts';
import type { OutputRequest } from './outputRequest.ts';

/** Returns the excluded items by reason. */
export function excludedItems(
  { subjects, exclude }: OutputRequest<NamedPath>,
  person: OutputPerson | null,
): Record<'subject' | 'excluded' | 'hidden' | 'suppressed' | 'met_with_suppressed', readonly string[]> {
  return {
    subject: subjects,
    excluded: exclude,
    hidden: person?.hiddenItems ?? [],
    suppressed: person?.suppressedItems ?? [],
    met_with_suppressed: person?.suppressedCompanions ?? [],
  };
}

/** Returns the authors whose items are excluded, by reason. */
export function excludedAuthors(
  request: OutputRequest<NamedPath>,
  person: OutputPerson | null,
): Record<'excluded_author' | 'hidden_author', readonly string[]> {
  return { excluded_author: request.excludedAuthors, hidden_author: person?.hiddenAuthors ?? [] };
}

/** Returns the rules of a request. A person's exclusions apply whatever their personalization setting is. */
export function rulesOf(request: OutputRequest<NamedPath>, person: OutputPerson | null): ShowRules {
  const { types, authors } = request;
  return {
    filters: request.filters,
    types: types && new Set(types),
    authors: authors && new Set(authors),
    excludedAuthors: new Set(Object.values(excludedAuthors(request, person)).flat()),
    publishedAfter: request.publishedAfter,
    publishedBefore: request.publishedBefore,
    maxAgeRating: request.maxAgeRating,
    excludedItems: new Set(Object.values(excludedItems(request, person)).flat()),
    excludedInterests: new Set(interestKeys(person?.excludedInterests ?? [])),
  };
}
