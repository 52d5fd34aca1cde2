/** The events of a visit, with a clock that advances. */
import type { Page } from './shop/site.ts';
import type { ServerFact, TrafficEvent, TrafficProduct } from './types.ts';

const SECOND_MS = 1000;

export class Trail {
  readonly origin: string;
  readonly events: TrafficEvent[] = [];
  readonly serverFacts: ServerFact[] = [];
  readonly #prefix: string;
  #products: TrafficProduct[] = [];
  #at: number;
  #url = '';
  #title = '';

  /** @param prefix prefix of the event ids, unique among the visitor's visits. */
  constructor({ origin, prefix, at }: { origin: string; prefix: string; at: number }) {
    this.origin = origin;
    this.#prefix = prefix;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  get hasCart(): boolean {
    return this.#products.length > 0;
  }

  /** Adds a page view; by default its referrer is the previous page. */
  open(page: Page, query = '', referrer: string | null = this.#url): void {
    this.#url = `${this.origin}${page.path}${query}`;
    this.#title = page.title;
    this.#at += 200;
    this.add({ type: 'pageview', ...(referrer !== null && referrer !== '' && { referrer }) });
  }

  /** Adds an event on the open page. */
  add(event: Omit<TrafficEvent, 'id' | 'at' | 'url' | 'title'>): void {
    this.#at += 700;
    this.events.push({
      id: `${this.#prefix}.${this.events.length}`,
      at: this.#at,
      url: this.#url,
      title: this.#title,
      ...event,
    });
  }

  stay(seconds: number): void {
    this.#at += seconds * SECOND_MS;
  }

  /** Adds the last events of a page: how far it was scrolled. */
  leave(depth: number, seconds: number): void {
    this.stay(seconds);
    this.add({ type: 'scroll', depth });
  }

  cart(product: TrafficProduct): void {
    this.#products.push(product);
  }

  takeCart(): TrafficProduct[] {
    const products = this.#products;
    this.#products = [];
    return products;
  }

  reportByServer(fact: ServerFact): void {
    this.serverFacts.push(fact);
  }
}
