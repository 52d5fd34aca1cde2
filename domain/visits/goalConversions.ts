/** The goals that a hit reaches, and its conversions: how often each goal counts, and with what value. */
import type { CollectedEvent } from '../collect/collected.ts';
import { inSiteCurrency, type Money } from '../orders/refunds.ts';
import { comparable, readable, readablePattern } from './addresses/readableAddresses.ts';
import type { GoalMatch, Goal } from '../sites/goalDefinition.ts';

/** `event`: goals of events, forms and purchases, which the tag recognises without a call that names a goal. */
export type GoalSource = 'tag' | 'url' | 'event';

export interface SiteGoal {
  code: string;
  source: GoalSource;
  value: number | null;
  /** Returns true when a hit of the right type reaches the goal. */
  reaches(event: HitForGoals): boolean;
}

/** The fields of a hit by which goals are checked. */
export type HitForGoals = Pick<CollectedEvent, 'url' | 'name'>;

/** A site's enabled goals by the type of hit that may reach them. */
export type SiteGoals = ReadonlyMap<CollectedEvent['type'], readonly SiteGoal[]>;

/**
 * Compiles a pattern in RE2 syntax, which is matched in linear time, because site owners write the patterns.
 * @returns true when the pattern is found in a text
 */
export type CompilePattern = (pattern: string) => (text: string) => boolean;

const HIT_TYPES = { js: 'goal', url: 'pageview', event: 'event', form: 'form', purchase: 'purchase' } as const;
const SOURCES = { js: 'tag', url: 'url', event: 'event', form: 'event', purchase: 'event' } as const;

/** Prepares the goals of a site for its hits, in the order of their codes. */
export function prepareGoals(goals: readonly Goal[], compile: CompilePattern): SiteGoals {
  const ready = new Map<CollectedEvent['type'], SiteGoal[]>();
  for (const goal of goals) {
    if (!goal.enabled) continue;
    const type = HIT_TYPES[goal.type];
    const prepared = {
      code: goal.code,
      source: SOURCES[goal.type],
      value: goal.value,
      reaches: condition(goal, compile),
    };
    ready.set(type, [...(ready.get(type) ?? []), prepared]);
  }
  return ready;
}

/** Addresses are decoded once for all goals of the site. */
const decoded = new WeakMap<HitForGoals, string>();

function readableOf(event: HitForGoals): string {
  const known = decoded.get(event) ?? readable(event.url);
  decoded.set(event, known);
  return known;
}

function condition({ type, code, match }: Goal, compile: CompilePattern): (event: HitForGoals) => boolean {
  switch (type) {
    case 'js':
      return (event) => event.name === code;
    case 'event':
      return (event) => match?.name !== undefined && event.name === match.name;
    case 'form':
      return (event) => match?.form_id === undefined || event.name === match.form_id;
    case 'purchase':
      return () => true;
    case 'url': {
      const isReached = addressTest(match ?? {}, compile);
      return (event) => isReached(readableOf(event));
    }
  }
}

/**
 * Both sides are compared decoded. `eq` and `starts` with a value that begins with a slash apply to the address without
 * scheme and host; `eq` ignores a slash at the end, and a query that the value does not name.
 */
function addressTest({ op, value: given }: GoalMatch, compile: CompilePattern): (address: string) => boolean {
  if (given === undefined || given === '') return () => false;
  const value = readable(given);
  const part = value.startsWith('/') && !value.startsWith('//') ? withoutHost : (url: string) => url;
  switch (op) {
    case 'eq': {
      const wanted = comparable(value, value);
      return (url) => comparable(part(url), value) === wanted;
    }
    case 'starts':
      return (url) => part(url).startsWith(value);
    case 'contains':
      return (url) => url.includes(value);
    case 'regex':
      return compile(readablePattern(given).normalize('NFC'));
    default:
      // Otherwise a new operator would match nothing.
      op satisfies undefined;
      return () => false;
  }
}

function withoutHost(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}

/** A goal that a hit has reached. */
export interface Conversion {
  /** Stable for the same hit and goal; for a purchase goal it is stable for the same transaction and goal. */
  id: string;
  /** Set for the conversion of a purchase: it counts if the purchase does. */
  transactionId: string | null;
  goal: string;
  goalSource: GoalSource;
  value: number | null;
}

/**
 * Returns the conversions of a hit. Each hit has its own, so a goal that is reached again in a visit counts again. A
 * purchase has them once for its transaction, because its confirmation page may be loaded again.
 */
export function conversionsOf(event: CollectedEvent, goals: SiteGoals, site: Money): Conversion[] {
  const reached = (goals.get(event.type) ?? []).filter((goal) => goal.reaches(event));
  const transactionId = event.type === 'purchase' ? (event.order?.transaction_id ?? null) : null;
  return reached.map((goal) => ({
    id:
      transactionId === null ? `${event.key}:${event.at}:${goal.code}` : purchaseConversionId(transactionId, goal.code),
    transactionId,
    goal: goal.code,
    goalSource: goal.source,
    value: conversionValue(event, goal, site),
  }));
}

/**
 * Returns the hit's own value, else that of the goal; a purchase's own value is its revenue in the site's currency, at
 * today's rate. db/siteFacts/takeServerFacts.ts does the same for a conversion from the site's server.
 */
function conversionValue(event: CollectedEvent, goal: SiteGoal, site: Money): number | null {
  const own = event.params?.['value'];
  if (typeof own === 'number' && Number.isFinite(own)) return own;
  return event.type === 'purchase' && event.order !== null ? purchaseValue(event.order, goal.value, site) : goal.value;
}

/**
 * Returns the value of a purchase, whoever reports it: the goal's value, else its revenue in the site's currency. Null:
 * neither is known.
 */
export function purchaseValue(
  { revenue, currency }: { revenue: number | null; currency: string | null },
  fixed: number | null,
  site: Money,
): number | null {
  return fixed ?? inSiteCurrency({ revenue, currency: currency?.toUpperCase() ?? site.currency }, site);
}

/** Returns the same id for the tag and for the API: a transaction reaches a goal once. */
export function purchaseConversionId(transactionId: string, goal: string): string {
  return `order:${transactionId}:${goal}`;
}
