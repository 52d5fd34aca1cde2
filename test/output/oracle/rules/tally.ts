/** The statistics of a run: answers, items, and how often each rule could have been broken. */
import { limitOf, perAuthorOf, type Asked, type OutputAnswer } from '../requests/asked.ts';
import { viewOf } from '../world/people.ts';
import { PATH_NAMES } from '../requests/paths.ts';
import { breaches } from './rules.ts';
import type { Rulebook, State } from '../world/world.ts';

/** Counts answers with too few items, among those for which some item was allowed. */
export interface Sparse {
  asked: number;
  empty: number;
  /** Complete answers with fewer than half of the allowed items. */
  few: number;
  examples: string[];
}

interface Plenty {
  asked: Asked;
  first: OutputAnswer;
  /** Number of items that may be shown. */
  allowed: number;
}

const SHOWN_EXAMPLES = 5;

export class Tally {
  requests = 0;
  items = 0;
  writes = 0;
  /** Number of requests during which a write was in progress. */
  overlapped = 0;
  readonly answers = new Map<string, number>();
  /** By rule: number of items that only this rule excluded. */
  readonly chances = new Map<string, number>();
  readonly sparse: Sparse = { asked: 0, empty: 0, few: 0, examples: [] };

  answered({ path }: Asked, mode: string, items: number): void {
    this.requests += 1;
    this.items += items;
    add(this.answers, `${path.name} ${mode}`);
  }

  chance(rule: string, count = 1): void {
    add(this.chances, rule, count);
  }

  /**
   * Counts what would have been shown without one rule, in a state that no write was changing.
   * @returns how many items may be shown
   */
  weigh(asked: Asked, state: State, rulebook: Rulebook, askedAt: number): number {
    const view = viewOf(state, rulebook, asked.body.user ?? null, askedAt);
    let allowed = 0;
    const authors = new Map<string, number>();
    for (const item of state.items.values()) {
      const broken = breaches(item, { asked, rulebook, view, state });
      if (broken.length === 1) this.chance(broken[0] ?? '');
      if (broken.length > 0) continue;
      allowed += 1;
      if (item.author !== null) add(authors, item.author);
    }
    const most = perAuthorOf(asked);
    if (most !== null && [...authors.values()].some((count) => count > most)) this.chance('max_per_author');
    if (allowed > limitOf(asked)) this.chance('limit');
    return allowed;
  }

  /** @param shown items on all pages of a complete answer, null when there are more */
  notePlenty({ asked, first, allowed }: Plenty, shown: number | null): void {
    if (allowed === 0) return;
    const isEmpty = first.items.length === 0;
    const isFew = !isEmpty && shown !== null && shown * 2 < allowed;
    this.sparse.asked += 1;
    if (isEmpty) this.sparse.empty += 1;
    if (isFew) this.sparse.few += 1;
    if (isEmpty || isFew)
      this.sparse.examples.push(
        `${asked.path.name}, mode ${first.mode}, ${shown ?? 0} of ${allowed}: ${JSON.stringify(asked.body)}`,
      );
  }

  table(): string {
    const modes = [...new Set([...this.answers.keys()].map((key) => key.split(' ')[1] ?? ''))].toSorted();
    const cell = (text: string | number): string => String(text).padStart(11);
    const rows = PATH_NAMES.map(
      (path) => path.padEnd(10) + modes.map((mode) => cell(this.answers.get(`${path} ${mode}`) ?? 0)).join(''),
    );
    const chances = [...this.chances].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [
      `${this.requests} requests, ${this.items} items judged, ${this.writes} writes, ${this.overlapped} requests beside a write`,
      ''.padEnd(10) + modes.map(cell).join(''),
      ...rows,
      `of ${this.sparse.asked} answers that had something to show ${this.sparse.empty} were empty, ${this.sparse.few} far too short`,
      ...this.sparse.examples.slice(0, SHOWN_EXAMPLES).map((example) => `  ${example}`),
      'rules and what they alone kept away:',
      ...chances.map(([rule, count]) => `  ${rule.padEnd(40)}${cell(count)}`),
    ].join('\n');
  }
}

function add(counts: Map<string, number>, key: string, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
