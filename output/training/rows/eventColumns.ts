/** The events of a project in growable columns, as they are read. */

export interface PositiveEvent {
  /** Identity id of the person. */
  person: number;
  item: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
  /** Greater than 0. Events whose weight is 0 in single precision are left out. */
  weight: number;
  orderId: string | null;
}

/** Events in no particular order, in columns of equal length. `items` has indexes into `ids`. */
export interface RawEvents {
  ids: readonly string[];
  people: Float64Array;
  times: Float64Array;
  items: Uint32Array;
  /** Numbers of orders; 0 means none. */
  baskets: Uint32Array;
  weights: Float32Array;
}

/** Numbers texts in the order of their arrival. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  texts(): string[] {
    return [...this.#numbers.keys()];
  }
}

const FIRST_CAPACITY = 1 << 16;

export class EventColumns {
  readonly #ids = new Numbering();
  readonly #orders = new Numbering();
  #count = 0;
  #people = new Float64Array(FIRST_CAPACITY);
  #times = new Float64Array(FIRST_CAPACITY);
  #items = new Uint32Array(FIRST_CAPACITY);
  #baskets = new Uint32Array(FIRST_CAPACITY);
  #weights = new Float32Array(FIRST_CAPACITY);

  add({ person, item, occurredAt, weight, orderId }: PositiveEvent): void {
    if (Math.fround(weight) === 0) return;
    if (this.#count === this.#people.length) this.#grow();
    this.#people[this.#count] = person;
    this.#times[this.#count] = occurredAt;
    this.#items[this.#count] = this.#ids.of(item);
    // The same order id may belong to another person, too, when the order was sent again.
    this.#baskets[this.#count] = orderId === null ? 0 : this.#orders.of(`${person} ${orderId}`) + 1;
    this.#weights[this.#count] = weight;
    this.#count += 1;
  }

  /** Returns the ids of the items that were met. */
  ids(): string[] {
    return this.#ids.texts();
  }

  take(): RawEvents {
    return {
      ids: this.#ids.texts(),
      people: this.#people.subarray(0, this.#count),
      times: this.#times.subarray(0, this.#count),
      items: this.#items.subarray(0, this.#count),
      baskets: this.#baskets.subarray(0, this.#count),
      weights: this.#weights.subarray(0, this.#count),
    };
  }

  #grow(): void {
    const capacity = this.#people.length * 2;
    this.#people = moved(this.#people, new Float64Array(capacity));
    this.#times = moved(this.#times, new Float64Array(capacity));
    this.#items = moved(this.#items, new Uint32Array(capacity));
    this.#baskets = moved(this.#baskets, new Uint32Array(capacity));
    this.#weights = moved(this.#weights, new Float32Array(capacity));
  }
}

function moved<T extends Float64Array | Float32Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
