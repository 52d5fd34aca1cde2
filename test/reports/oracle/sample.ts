/**
 * A sample of a report that tells persons apart, following docs/decisions/reports.md: all rows are read, and those
 * of persons in the sample count.
 */
import { createHash } from 'node:crypto';
import type { Condition, ReportRequest } from '../../../reports/reportRequest.ts';
import { levelOf } from './dimensions.ts';
import type { Group } from './metrics/metricContext.ts';
import { BASES, type Base, type Tuple } from './metrics/tuple.ts';
import { SAMPLE_BUCKETS, type SiteView } from './world/world.ts';

/** Metrics that count the persons whom a row names, with the rows in which they count them. */
const OF_NAMED: Readonly<Record<string, Base>> = { users: 'visit', buyers: 'order' };
const OF_PERSONS: readonly string[] = [
  ...Object.keys(OF_NAMED),
  'people',
  'people_share',
  'undefined_share',
  'network_share',
  'affinity_index',
];

export function tellsPersons({ dimensions, metrics, filters, segment }: ReportRequest): boolean {
  const looked = [
    ...dimensions,
    ...filters.map(({ dimension }) => dimension),
    ...(segment === null ? [] : lookedAt(segment.condition)),
  ];
  return metrics.some((id) => OF_PERSONS.includes(id)) || looked.some((id) => levelOf(id) === 'person');
}

function lookedAt(condition: Condition): string[] {
  if ('not' in condition) return lookedAt(condition.not);
  if ('all' in condition || 'any' in condition)
    return ('all' in condition ? condition.all : condition.any).flatMap(lookedAt);
  return 'dimension' in condition ? [condition.dimension] : [];
}

export class PersonSample {
  readonly #view: SiteView;
  readonly #metrics: readonly string[];

  constructor(view: SiteView, { metrics }: ReportRequest) {
    this.#view = view;
    this.#metrics = metrics;
  }

  /** Reports whether one of the request's metrics counts the row. */
  isThere(base: Base, tuple: Tuple): boolean {
    return (
      this.#counts(null, base, tuple) ||
      this.#metrics.some((id) => OF_NAMED[id] === base && this.#counts(id, base, tuple))
    );
  }

  /** Returns the rows that a metric counts; null: a metric that counts visits, facts or visitors. */
  countedBy(metric: string | null, group: Group): Group {
    return Object.fromEntries(
      BASES.map((base) => [base, group[base].filter((tuple) => this.#counts(metric, base, tuple))]),
    ) as unknown as Group;
  }

  visits(tuples: readonly Tuple[]): Tuple[] {
    return tuples.filter((tuple) => this.#counts(null, 'visit', tuple));
  }

  #counts(metric: string | null, base: Base, tuple: Tuple): boolean {
    const isOfVisit = base === 'visit' || base === 'hit';
    const row = isOfVisit ? tuple.visit : tuple[base];
    if (row === null) return false;
    const isNamed = metric !== null && OF_NAMED[metric] === base;
    return isInSample(this.#view.personOf(row, isNamed || row.visitor_id === null));
  }
}

/** @param person key */
function isInSample(person: string | null): boolean {
  if (person === null) return false;
  const [kind = '', ...id] = person.split(':');
  const hash = createHash('md5').update(id.join(':')).digest('hex');
  const uuid =
    kind === 'visitor'
      ? id.join(':')
      : [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20)].join('-');
  return Number.parseInt(createHash('sha256').update(uuid).digest('hex').slice(0, 8), 16) % 10_000 < SAMPLE_BUCKETS;
}
