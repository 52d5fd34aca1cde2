/** The events of a visit as they are put down, with a clock that goes on. */
import type { Page } from './site.ts';
import type { ServerSending, TrafficEvent, TrafficProduct } from './types.ts';

const SECOND_MS = 1000;

export class Trail {
  readonly origin: string;
  readonly events: TrafficEvent[] = [];
  readonly told: ServerSending[] = [];
  readonly #prefix: string;
  #products: TrafficProduct[] = [];
  #at: number;
  #url = '';
  #title = '';

  /** @param prefix of the ids of its events, unique among the visits of the visitor. */
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

  /** A page view; without a referrer of its own it comes from the page before. */
  open(page: Page, query = '', referrer: string | null = this.#url): void {
    this.#url = `${this.origin}${page.path}${query}`;
    this.#title = page.title;
    this.#at += 200;
    this.add({ type: 'pageview', ...(referrer !== null && referrer !== '' && { referrer }) });
  }

  /** Something on the open page. */
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

  /** The last sign: how far the page was scrolled. */
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

  tellByServer(sending: ServerSending): void {
    this.told.push(sending);
  }
}
