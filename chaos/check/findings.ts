/** What the checker found: counts by kind, and words for the first ones of each. */

/**
 * `lost`: something accepted is missing or not as it was accepted last. `doubled`: an effect that is
 * there more often than it was asked for, or without having been asked for. `unfinished`: an item
 * without a final status, or work that nobody does. `undelivered`: a webhook that neither came nor waits for its time.
 */
export const FINDING_KINDS = ['lost', 'doubled', 'unfinished', 'undelivered'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

const WORDS_OF_EACH = 20;

export class Findings {
  readonly counts: Record<FindingKind, number> = { lost: 0, doubled: 0, unfinished: 0, undelivered: 0 };
  readonly words: string[] = [];
  /** Deliveries whose retry waits for its time, with a workflow that holds the timer. */
  waiting = 0;
  /** Receipts beyond the first of a delivery. */
  repeats = 0;
  /** What was compared, so that a checker that looked at nothing is seen. */
  readonly compared: Record<string, number> = {};

  add(kind: FindingKind, words: string, count = 1): void {
    if (count <= 0) return;
    this.counts[kind] += count;
    if (this.words.filter((line) => line.startsWith(kind)).length < WORDS_OF_EACH) this.words.push(`${kind}: ${words}`);
  }

  looked(at: string, count: number): void {
    this.compared[at] = (this.compared[at] ?? 0) + count;
  }

  get total(): number {
    return FINDING_KINDS.reduce((sum, kind) => sum + this.counts[kind], 0);
  }
}
