/** The events of a project as they are read: columns that grow. */

export interface PositiveEvent {
  /** The identity that the person is known by. */
  person: number;
  item: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
  /** Above 0. */
  weight: number;
  orderId: string | null;
}

/** Events in no order; of equal length but for the ids, into which `items` are numbers. */
export interface RawEvents {
  ids: readonly string[];
  people: Float64Array;
  times: Float64Array;
  items: Uint32Array;
  /** Numbers of orders, 0 for none. */
  baskets: Uint32Array;
  weights: Float32Array;
}

/** Numbers of texts, in the order in which they came. */
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
    if (this.#count === this.#people.length) this.#grow();
    this.#people[this.#count] = person;
    this.#times[this.#count] = occurredAt;
    this.#items[this.#count] = this.#ids.of(item);
    // An order id may come of another person, too, when the order was sent anew.
    this.#baskets[this.#count] = orderId === null ? 0 : this.#orders.of(`${person} ${orderId}`) + 1;
    this.#weights[this.#count] = weight;
    this.#count += 1;
  }

  /** The items that were met. */
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
