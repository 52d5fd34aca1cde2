/** Steps within sessions: a row of the preceding items for each step, as in SLIST (Choi et al., arXiv:2103.16104). */
import { at, peopleOf, type Cuts, type Interactions } from './interactions.ts';
import { RowBuilder, sortedByKey, type RowsByItem, type SparseRows } from './sparseRows.ts';

/** Silence after which a new session begins. */
export const SESSION_SILENCE_SECONDS = 30 * 60;
/** Maximum number of preceding items that count in a step. */
export const SESSION_MEMORY = 8;
/** Value of a preceding item relative to the one after it. */
export const SESSION_DECAY = 0.8;

export interface Steps {
  /** The items before each step: the last with 1, the one before it with {@link SESSION_DECAY}, … */
  past: SparseRows;
  /** The steps that led to each item. */
  next: RowsByItem;
}

/** Returns the steps of all sessions; consecutive events of one item are one step. */
export function sessionSteps(data: Interactions, cuts: Cuts): Steps {
  const people = peopleOf(data);
  const past = new RowBuilder(data.items.length, data.items.length * 2);
  const targets = new Uint32Array(data.items.length);
  let steps = 0;
  const session = new SessionMemory();
  for (let person = 0; person < people; person += 1) {
    const begin = at(data.offsets, person);
    const end = begin + at(cuts, person);
    session.clear();
    for (let event = begin; event < end; event += 1) {
      const item = at(data.items, event);
      if (event > begin && at(data.seconds, event) - at(data.seconds, event - 1) > SESSION_SILENCE_SECONDS)
        session.clear();
      if (item === session.last) continue;
      if (session.writeTo(past, item)) targets[steps++] = item;
      session.push(item);
    }
  }
  return { past: past.build(), next: stepsByTarget(targets.subarray(0, steps), data.ids.length) };
}

/** The latest items of a session. */
class SessionMemory {
  readonly #items: number[] = [];

  get last(): number | undefined {
    return this.#items.at(-1);
  }

  clear(): void {
    this.#items.length = 0;
  }

  push(item: number): void {
    this.#items.push(item);
    if (this.#items.length > SESSION_MEMORY) this.#items.shift();
  }

  /** Writes the items before `next` as a row, without the item itself. @returns false when there are none */
  writeTo(rows: RowBuilder, next: number): boolean {
    const values = new Map<number, number>();
    let value = 1;
    for (let index = this.#items.length - 1; index >= 0; index -= 1) {
      const item = this.#items[index] as number;
      if (item !== next && !values.has(item)) values.set(item, value);
      value *= SESSION_DECAY;
    }
    if (values.size === 0) return false;
    for (const item of [...values.keys()].sort((a, b) => a - b)) rows.add(item, values.get(item) as number);
    rows.endRow();
    return true;
  }
}

function stepsByTarget(targets: Uint32Array, itemCount: number): RowsByItem {
  const { starts: offsets, entries: rows } = sortedByKey(targets, itemCount);
  return { offsets, rows, values: new Float32Array(targets.length).fill(1) };
}
