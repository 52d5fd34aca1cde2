/**
 * What must be there after all that was accepted: kept by the load from its own requests and their
 * answers, with rules of its own (from the API's document), and compared by the checker.
 */

/** What may be counted between two bounds, because it depends on what came first; mostly they are equal. */
export interface Range {
  min: number;
  max: number;
}

export interface ExpectedItem {
  /** Deleted or withdrawn by its last write, which was answered: no recommendation shows it from then on. */
  isGone?: true;
  project: ProjectName;
  id: string;
  /** Of the last accepted write; fields that the checker compares. */
  content: ItemContent;
  deleted: boolean;
  /** Events that each webhook must have got. */
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

/** `main` has its webhooks and exact sums; in `rush` items change while they are analysed, so only bounds are known. */
export type ProjectName = 'main' | 'rush';

export interface ExpectedFact {
  type: string;
  item: string;
  /** kind:identifier of whoever owns it by now. */
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
  /** Milliseconds. */
  at: number;
}

export interface ExpectedOrder {
  id: string;
  owner: string;
  status: 'created' | 'cancelled';
  /** How many different states were accepted. */
  revision: number;
  /** By item: summed quantity, price of one. */
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
  /** Items that orders made: they have no analysis and no events. */
  readonly products = new Set<string>();
  readonly facts = new Map<string, ExpectedFact>();
  readonly states = new Map<string, ExpectedState>();
  /** Impressions by day, item and surface. */
  readonly impressions = new Map<string, number>();
  /** Ids of events that were rejected: nothing of them may be found. */
  readonly rejected = new Set<string>();
  readonly orders = new Map<string, ExpectedOrder>();
  readonly people: ExpectedPerson[] = [];
  /** Of the site, by id: how many hits each sent; all of them are of one visit. */
  readonly visitors = new Map<string, { hits: number }>();
  /** By id. */
  readonly conversions = new Map<string, { visitorId: string; value: number }>();
  /** By transaction and status, whichever way they came. */
  readonly siteOrders = new Map<string, { visitorId: string; revenue: number }>();
  /** Ids of accepted trainings. */
  readonly trainings = new Set<string>();
  /** What deleted people leave: events by item and type. */
  readonly totals = new Map<string, { events: number; valueSum: number }>();
  /** Answers that do not fit what was sent: a repeat that counted, something new that did not. */
  readonly complaints: string[] = [];

  noteState(event: ExpectedState): void {
    const key = stateKey(event);
    const known = this.states.get(key);
    if (known && !(event.mode === 'max' ? event.value > known.value : event.at >= known.at)) return;
    this.states.set(key, event);
  }

  noteImpression(day: string, item: string, surface: string): void {
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

/** One per started 1,000 characters of title, description and body, one per image, one per started minute of video. */
export function unitsOf({ title, description, body, media }: ItemContent): number {
  const characters = [title, description, body].reduce((sum, text) => sum + [...(text ?? '')].length, 0);
  return Math.ceil(characters / 1_000) + media.length; // the load's videos are shorter than a minute
}
