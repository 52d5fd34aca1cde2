/** The data about a site's people that a report reads. */
import { aggregatesOf, usesTerm, attributeOf, findDimension, findMetric } from '../../registry/index.ts';
import type { PeopleNeeds, Sample } from '../../people/index.ts';
import type { ReportRequest } from '../../reportRequest.ts';
import { dimensionsUsed } from './dimensionsUsed.ts';

/**
 * Returns what to load about people. Most reports need nothing, because none of their identifiers is about persons.
 * @param sampled a sample needs the links in order to count users; a whole report does not
 */
export function peopleNeeds(request: ReportRequest, sampled = false): PeopleNeeds {
  const needed = dimensionsUsed(request).flatMap((id) => {
    const found = findDimension(id);
    return found?.dimension.level === 'person' ? [attributeOf(found.dimension, found.param)] : [];
  });
  return {
    links: needed.length > 0 || request.metrics.some((id) => countsPersons(id, sampled)),
    attributes: [...new Set(needed.filter(({ param }) => param === null).map(({ attribute }) => attribute))],
    params: [...new Set(needed.flatMap(({ param }) => (param === null ? [] : [param])))],
  };
}

/** Returns whether the request uses attributes of people. */
export function asksAudience(request: ReportRequest): boolean {
  const { attributes, params } = peopleNeeds(request);
  return attributes.length + params.length > 0;
}

/** Returns the unit of the report's sample; null if it is not sampled. */
export function sampleOf(request: ReportRequest, sampled: boolean): Sample | null {
  if (!sampled) return null;
  return peopleNeeds(request, sampled).links ? 'persons' : 'visitors';
}

function countsPersons(id: string, orUsers: boolean): boolean {
  const found = findMetric(id);
  if (found === null) return false;
  return aggregatesOf(found.metric, found.param).some(
    (aggregate) =>
      usesTerm(aggregate, 'person') || (orUsers && aggregate.kind === 'distinct' && aggregate.namedUser !== undefined),
  );
}
