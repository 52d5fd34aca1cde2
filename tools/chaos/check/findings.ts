/** The checker's findings: counts by kind, and descriptions of the first ones of each. */

/**
 * `lost`: something accepted is missing, or is not as it was last accepted. `doubled`: an effect exists more often than
 * requested, or without a request. `unfinished`: an item without a final status, or work that nobody is doing.
 * `undelivered`: a webhook that neither arrived nor waits for its time.
 */
const FINDING_KINDS = ['lost', 'doubled', 'unfinished', 'undelivered'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

const MAX_MESSAGES_PER_KIND = 20;

export class Findings {
  readonly counts: Record<FindingKind, number> = { lost: 0, doubled: 0, unfinished: 0, undelivered: 0 };
  readonly messages: string[] = [];
  /** Deliveries whose retry waits for its time, with a workflow that holds the timer. */
  waiting = 0;
  /** Receipts beyond the first of each delivery. */
  repeats = 0;
  /** Number of things compared, which reveals a checker that looked at nothing. */
  readonly compared: Record<string, number> = {};

  add(kind: FindingKind, message: string, count = 1): void {
    if (count <= 0) return;
    this.counts[kind] += count;
    if (this.messages.filter((line) => line.startsWith(kind)).length < MAX_MESSAGES_PER_KIND)
      this.messages.push(`${kind}: ${message}`);
  }

  countCompared(at: string, count: number): void {
    this.compared[at] = (this.compared[at] ?? 0) + count;
  }

  get total(): number {
    return FINDING_KINDS.reduce((sum, kind) => sum + this.counts[kind], 0);
  }
}
