/** Evaluates a report by plain loops over the rows; the engine is compared with it. */
import type { VisitRow } from '../../../domain/reports/lakeRows.ts';
import type { Condition, ReportRequest, ReportSite, Robots } from '../../../reports/reportRequest.ts';
import { passes } from './comparison.ts';
import { dimensionOf, labelOf, levelOf } from './dimensions.ts';
import { inPlayOf, tuplesOf, type Population } from './flatten.ts';
import type { AudienceContext, Group, MetricContext } from './metrics/metricContext.ts';
import { metricOf } from './metrics/metrics.ts';
import { PersonSample, tellsPersons } from './sample.ts';
import { membershipOf } from './segments.ts';
import { distinct } from './metrics/sums.ts';
import { BASES, type Base, type Fact, type LabelContext, type Tuple } from './metrics/tuple.ts';
import { daysBetween, wallClock } from './wallClock.ts';
import { groupBy, viewOf, type SiteView, type World } from './world/world.ts';

export type OracleLabels = readonly (string | null)[];

export interface OracleRow {
  labels: OracleLabels;
  metrics: number[];
}

export interface OracleReport {
  /** All rows, in no particular order. */
  rows: OracleRow[];
  totals: number[];
  /** Whether an amount was left out for lack of a rate. */
  missesRate: boolean;
}

export interface OracleOptions {
  sampled: boolean;
  audienceMinPeople: number;
}

const keyOf = (labels: OracleLabels): string => JSON.stringify(labels);

export function evaluate(
  world: World,
  request: ReportRequest,
  site: ReportSite,
  { sampled, audienceMinPeople }: OracleOptions,
): OracleReport {
  const ofPersons = sampled && tellsPersons(request);
  const view = viewOf(world, site.siteId, sampled && !ofPersons);
  const run = new Run(view, request, site, {
    scale: sampled ? 10 : 1,
    sample: ofPersons ? new PersonSample(view, request) : null,
  });
  const all = run.group();
  const told = run.metricsOf(all, undefined);
  const totals = run.isShown(all, audienceMinPeople) ? told : told.map(() => 0);
  const missesRate = run.missesRate;
  const rows = [...run.groups(all)]
    .filter(([, group]) => run.isShown(group, audienceMinPeople))
    .map(([, group, labels]) => ({ labels, metrics: run.metricsOf(group, labels) }));
  return { rows, totals, missesRate };
}

class Run {
  readonly #view: SiteView;
  readonly #request: ReportRequest;
  readonly #site: ReportSite;
  readonly #scale: number;
  readonly #sample: PersonSample | null;
  readonly #labels: LabelContext;
  readonly #population: Population;
  readonly #everybody: readonly VisitRow[];
  readonly #used: readonly string[];
  readonly #audienceId: string | null;
  #everybodyTold: Tuple[] | null = null;
  readonly #memo = new Map<string, Map<string, Tuple[]>>();
  missesRate = false;

  constructor(
    view: SiteView,
    request: ReportRequest,
    site: ReportSite,
    { scale, sample }: { scale: number; sample: PersonSample | null },
  ) {
    this.#view = view;
    this.#request = request;
    this.#site = site;
    this.#scale = scale;
    this.#sample = sample;
    this.#labels = { timezone: site.timezone, attribution: request.attribution };
    this.#used = [...request.dimensions, ...request.filters.map(({ dimension }) => dimension)];
    const audience = [...new Set(request.dimensions.filter((id) => levelOf(id) === 'person'))];
    this.#audienceId = audience.length === 1 ? (audience[0] ?? null) : null;
    const inPeriod = this.#view.visits.filter(
      (visit) => this.#isInPeriod(visit.started_at) && letsIn(request.robots, visit),
    );
    this.#everybody = inPeriod;
    this.#population = this.#populationOf(inPeriod);
  }

  #isInPeriod(at: number): boolean {
    const { date } = wallClock(at, this.#site.timezone);
    return this.#request.date_from <= date && date <= this.#request.date_to;
  }

  #populationOf(inPeriod: readonly VisitRow[]): Population {
    const { segment, robots } = this.#request;
    const members = membershipOf(segment, inPeriod, {
      view: this.#view,
      labels: this.#labels,
      metrics: { money: this.#site, days: this.#days() },
    });
    const facts = <Row extends Fact>(rows: readonly Row[]): Row[] =>
      rows.filter((row) => {
        const visit = this.#view.visitById.get(row.visit_id ?? '') ?? null;
        return (
          this.#isInPeriod(row.at) && letsIn(robots, visit) && members.hasFact({ visit, visitorId: row.visitor_id })
        );
      });
    return {
      visits: inPeriod.filter((visit) => members.hasVisit(visit)),
      conversions: facts(this.#view.conversions),
      orders: facts(this.#view.orders),
      lines: facts(this.#view.lines),
    };
  }

  #days(): number {
    return daysBetween(this.#request.date_from, this.#request.date_to) + 1;
  }

  /** Returns all rows before grouping, by kind. */
  group(): Group {
    const bases = new Set(this.#request.metrics.flatMap((id) => metricOf(id).metric.bases));
    const isThere =
      (base: Base) =>
      (tuple: Tuple): boolean =>
        this.#sample?.isThere(base, tuple) ?? true;
    return Object.fromEntries(
      BASES.map((base) => [
        base,
        bases.has(base) ? this.#tuples(base, this.#population, () => true).filter(isThere(base)) : [],
      ]),
    ) as unknown as Group;
  }

  /** Returns the rows that a metric counts; null stands for a metric that does not count persons. */
  #countedBy(metric: string | null, group: Group): Group {
    return this.#sample?.countedBy(metric, group) ?? group;
  }

  #inSample(tuples: Tuple[]): Tuple[] {
    return this.#sample?.visits(tuples) ?? tuples;
  }

  /** @param isUsed selects the dimensions that matter */
  #tuples(base: Base, population: Population, isUsed: (id: string) => boolean): Tuple[] {
    const filters = this.#request.filters.filter(({ dimension }) => isUsed(dimension));
    const tuples = tuplesOf(this.#view, base, population, inPlayOf(this.#used.filter(isUsed)));
    return tuples.filter((tuple) =>
      filters.every((filter) => passes(labelOf(filter.dimension, tuple, this.#labels), filter)),
    );
  }

  #labelsOf(tuple: Tuple, ids: readonly string[]): OracleLabels {
    return ids.map((id) => labelOf(id, tuple, this.#labels));
  }

  *groups(all: Group): Generator<[key: string, group: Group, labels: OracleLabels]> {
    const groups = new Map<string, { labels: OracleLabels; group: Record<Base, Tuple[]> }>();
    for (const base of BASES) {
      for (const tuple of all[base]) {
        const labels = this.#labelsOf(tuple, this.#request.dimensions);
        const key = keyOf(labels);
        const found = groups.get(key) ?? { labels, group: { visit: [], hit: [], conversion: [], order: [], line: [] } };
        found.group[base].push(tuple);
        groups.set(key, found);
      }
    }
    for (const [key, { group, labels }] of groups) yield [key, group, labels];
  }

  /**
   * Reports whether a row is shown. Where a report uses attributes of people, rows and totals of fewer than `least`
   * people are hidden.
   */
  isShown(group: Group, least: number): boolean {
    const asked = [
      ...this.#used,
      ...(this.#request.segment === null ? [] : dimensionsIn(this.#request.segment.condition)),
    ];
    if (least <= 1 || !asked.some((id) => levelOf(id) === 'person')) return true;
    const counted = this.#countedBy(null, group);
    return BASES.some((base) => new Set(counted[base].map(({ person }) => person)).size >= least);
  }

  /** @param labels undefined: the totals */
  metricsOf(group: Group, labels: OracleLabels | undefined): number[] {
    const context: MetricContext = {
      view: this.#view,
      money: this.#site,
      days: this.#days(),
      seesHits: this.#used.some((id) => levelOf(id) === 'hit'),
      weightOf: ({ weight }) => weight,
      wideVisits: () =>
        distinct(
          this.#alike(labels, (id) => !isOfFacts(id)),
          ({ visit }) => visit,
        ),
      audience: this.#audienceOf(labels),
      onMissingRate: () => {
        this.missesRate = true;
      },
    };
    return this.#request.metrics.map((id) => {
      const { metric, goal } = metricOf(id);
      return metric.value(this.#countedBy(id, group), context, goal) * (metric.isRatio ? 1 : this.#scale);
    });
  }

  #audienceOf(labels: OracleLabels | undefined): AudienceContext {
    const id = this.#audienceId;
    if (id === null) return { told: null, label: undefined, others: () => [], everybody: () => [] };
    const place = this.#request.dimensions.indexOf(id);
    const context = this.#labels;
    return {
      told: (tuple) => ({ label: labelOf(id, tuple, context), source: toldOf(id, tuple) }),
      label: labels === undefined || place === -1 ? undefined : (labels[place] ?? null),
      others: () => this.#alike(labels, () => true, id),
      everybody: () =>
        (this.#everybodyTold ??= this.#inSample(
          tuplesOf(
            this.#view,
            'visit',
            { visits: this.#everybody, conversions: [], orders: [], lines: [] },
            inPlayOf([id]),
          ),
        )),
    };
  }

  /** Returns the visits' rows that have the same labels as this row in all used dimensions except `but`. */
  #alike(
    labels: OracleLabels | undefined,
    isUsed: (id: string) => boolean,
    but: string | null = null,
  ): readonly Tuple[] {
    const ids = this.#request.dimensions.filter((id) => isUsed(id) && id !== but);
    const memoKey = `${but} ${labels === undefined} ${ids.join(' ')}`;
    const groups =
      this.#memo.get(memoKey) ??
      groupBy(this.#inSample(this.#tuples('visit', this.#population, isUsed)), (tuple) =>
        keyOf(labels === undefined ? [] : this.#labelsOf(tuple, ids)),
      );
    this.#memo.set(memoKey, groups);
    const wanted =
      labels === undefined
        ? []
        : this.#request.dimensions.flatMap((id, index) => (isUsed(id) && id !== but ? [labels[index] ?? null] : []));
    return groups.get(keyOf(wanted)) ?? [];
  }
}

function dimensionsIn(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(dimensionsIn);
  if ('any' in condition) return condition.any.flatMap(dimensionsIn);
  if ('not' in condition) return dimensionsIn(condition.not);
  return 'dimension' in condition ? [condition.dimension] : [];
}

function letsIn(robots: Robots, visit: VisitRow | null): boolean {
  if (robots === 'include') return true;
  return (visit?.is_robot ?? false) === (robots === 'only');
}

function isOfFacts(id: string): boolean {
  return ['goal', 'order', 'product'].includes(levelOf(id));
}

function toldOf(id: string, tuple: Tuple): string | null {
  const { dimension, param } = dimensionOf(id);
  const told = dimension.attribute?.(param);
  return told === undefined
    ? null
    : (tuple.attributes.get(told.param === null ? told.attribute : `${told.attribute}:${told.param}`)?.source ?? null);
}
