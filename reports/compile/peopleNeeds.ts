/** What of a site's people a report has to read. */
import { attributeOf, findDimension, findMetric, type Aggregate, type Terms } from '../registry/index.ts';
import type { PeopleNeeds, Sample } from '../people/index.ts';
import type { ReportRequest } from '../request.ts';
import { dimensionsAsked } from './dimensionsAsked.ts';

/**
 * Nothing for most reports: no identifier of theirs is about persons.
 * @param sampled users of visits need no links to be counted, but a sample of them does
 */
export function peopleNeeds(request: ReportRequest, sampled = false): PeopleNeeds {
  const told = dimensionsAsked(request).flatMap((id) => {
    const found = findDimension(id);
    return found?.dimension.level === 'person' ? [attributeOf(found.dimension, found.param)] : [];
  });
  return {
    links: told.length > 0 || request.metrics.some((id) => countsPersons(id, sampled)),
    attributes: [...new Set(told.filter(({ param }) => param === null).map(({ attribute }) => attribute))],
    params: [...new Set(told.flatMap(({ param }) => (param === null ? [] : [param])))],
  };
}

/** What a sample of the report is a tenth of; null: it is no sample. */
export function sampleOf(request: ReportRequest, sampled: boolean): Sample | null {
  if (!sampled) return null;
  return peopleNeeds(request, sampled).links ? 'persons' : 'visitors';
}

/** By what its aggregates ask for: none is to be named here. */
function countsPersons(id: string, orUsers: boolean): boolean {
  const found = findMetric(id);
  if (found === null) return false;
  const aggregates: Aggregate[] = [];
  found.metric.sql((aggregate) => aggregates.push(aggregate).toString(), { param: found.param, days: 1 });
  if (orUsers && aggregates.some((aggregate) => aggregate.kind === 'distinct' && aggregate.namedUser !== undefined))
    return true;
  return aggregates.some((aggregate) =>
    asksPerson(
      (terms) =>
        aggregate.kind === 'sum'
          ? aggregate.sql(terms)
          : [aggregate.entity(terms), aggregate.where?.(terms), aggregate.some?.(terms)],
      found.param,
    ),
  );
}

function asksPerson(ask: (terms: Terms) => unknown, param: string): boolean {
  let isAsked = false;
  const any = (): string => 'null';
  ask({
    param,
    bind: any,
    local: any,
    localTime: 'null',
    source: 'null',
    told: { value: 'null', source: 'null' },
    reached: any,
    bought: any,
    money: any,
    get person() {
      isAsked = true;
      return 'null';
    },
  });
  return isAsked;
}
