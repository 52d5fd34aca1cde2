/**
 * The state expected after everything that was accepted. The load derives it from its own requests and their responses,
 * by rules of its own (from the API's document), and the checker compares it.
 */

/** Bounds of a count that depends on the order of events; mostly they are equal. */
export interface Range {
  min: number;
  max: number;
}

export interface ExpectedItem {
  /** True when its last write deleted or withdrew it and was answered: from then on no recommendation may show it. */
  isGone?: true;
  project: ProjectName;
  id: string;
  /** Content of the last accepted write: the fields that the checker compares. */
  content: ItemContent;
  deleted: boolean;
  /** Number of events that each webhook must have received. */
  events: Range;
  /** Units of analysis volume that it used. */
  units: Range;
}

export interface ItemContent {
  type: 'text' | 'image' | 'video';
  title: string;
  description: string | null;
  body: string | null;
  available: boolean;
  media: readonly { kind: 'image' | 'video'; url: string }[];
}

/**
 * `main` has its own webhooks and exact sums; in `rush`, items change during their analysis, so only bounds are known.
 */
export type ProjectName = 'main' | 'rush';

export interface ExpectedFact {
  type: string;
  item: string;
  /** Current owner, as kind:identifier. */
  owner: string;
  value: number | null;
}

/** The row of `max` or `state` that counts. */
export interface ExpectedState {
  owner: string;
  item: string;
  type: string;
  mode: 'max' | 'state';
  value: number;
  /** Time in milliseconds. */
  at: number;
}

export interface ExpectedOrder {
  id: string;
  owner: string;
  status: 'created' | 'cancelled';
  /** Number of different states that were accepted. */
  revision: number;
  /** Lines by item: summed quantity, and the price of one. */
  lines: ReadonlyMap<string, { quantity: number; price: number }>;
}

export interface ExpectedPerson {
  userId: string;
  devices: string[];
  city: string;
  isDeleted: boolean;
}

export class Expected {
  readonly items = new Map<string, ExpectedItem>();
  /** Items created by orders: they have no analysis and no events. */
  readonly products = new Set<string>();
  readonly facts = new Map<string, ExpectedFact>();
  readonly states = new Map<string, ExpectedState>();
  /** Impressions by day, item and surface. */
  readonly impressions = new Map<string, number>();
  /** Ids of rejected events: none of them may be stored. */
  readonly rejected = new Set<string>();
  readonly orders = new Map<string, ExpectedOrder>();
  readonly people: ExpectedPerson[] = [];
  /** Visitors of the site by id, with the number of hits that each sent; all of them belong to one visit. */
  readonly visitors = new Map<string, { hits: number }>();
  /** Conversions by id. */
  readonly conversions = new Map<string, { visitorId: string; value: number }>();
  /** Orders by transaction and status, whichever way they arrived. */
  readonly siteOrders = new Map<string, { visitorId: string; revenue: number }>();
  /** Ids of accepted trainings. */
  readonly trainings = new Set<string>();
  /** Totals that deleted people leave: events by item and type. */
  readonly totals = new Map<string, { events: number; valueSum: number }>();
  /** Responses that do not match the request: a repeat that counted, something new that did not. */
  readonly complaints: string[] = [];

  recordState(event: ExpectedState): void {
    const key = stateKey(event);
    const known = this.states.get(key);
    if (known && !(event.mode === 'max' ? event.value > known.value : event.at >= known.at)) return;
    this.states.set(key, event);
  }

  recordImpression(day: string, item: string, surface: string): void {
    const key = `${day} ${item} ${surface}`;
    this.impressions.set(key, (this.impressions.get(key) ?? 0) + 1);
  }

  addTotal(item: string, type: string, value: number | null): void {
    const key = `${item} ${type}`;
    const known = this.totals.get(key) ?? { events: 0, valueSum: 0 };
    this.totals.set(key, { events: known.events + 1, valueSum: known.valueSum + (value ?? 0) });
  }
}

export function stateKey({ owner, item, type }: Pick<ExpectedState, 'owner' | 'item' | 'type'>): string {
  return `${owner} ${item} ${type}`;
}

/**
 * Returns one unit per started 1,000 characters of title, description and body, one per image, and one per started
 * minute of video.
 */
export function unitsOf({ title, description, body, media }: ItemContent): number {
  const characters = [title, description, body].reduce((sum, text) => sum + [...(text ?? '')].length, 0);
  return Math.ceil(characters / 1_000) + media.length; // the load's videos are shorter than a minute
}
