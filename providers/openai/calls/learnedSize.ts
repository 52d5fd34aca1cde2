/**
 * How much a server can read at once, learned from what it refuses. Strangers write what it reads: a text with many
 * tokens, or a picture with many bytes, is refused by a server that reads ten times as much of anything else.
 */

/**
 * This many runs that come near the size have to succeed before a size twice as large is tried. The number doubles each
 * time the server refuses that, so that a small server seldom has to.
 */
const GROWS_AFTER = { first: 10, most: 100 };

export interface Refusal {
  /** Identifies the item (`CallContext.item`); a run without one teaches nothing. */
  item: string | undefined;
  /** The size that the server did read in the end. */
  read: number;
}

/** Shared by all items of a process. */
export interface LearnedSize {
  /** The configured size. */
  readonly most: number;
  current(): number;
  /** The server itself named a limit: learned at once. */
  limited(read: number): void;
  /**
   * Something larger was refused. The size is lowered only when a second item is refused too, unless the server reads
   * something larger meanwhile: refusals of one item say nothing about others.
   */
  refused(refusal: Refusal): void;
  /** Something of that size was read at once. */
  worked(read: number): void;
}

export function createLearnedSize(most: number): LearnedSize {
  let current = most;
  let suspicion: Refusal | null = null;
  let successes = 0;
  let growsAfter = GROWS_AFTER.first;
  let hasGrown = false;

  function limited(read: number): void {
    suspicion = null;
    if (read >= current) return;
    if (hasGrown) growsAfter = Math.min(GROWS_AFTER.most, growsAfter * 2);
    [current, successes, hasGrown] = [read, 0, false];
  }

  return {
    most,
    current: () => current,
    limited,
    refused({ item, read }) {
      if (item === undefined) return;
      if (suspicion && suspicion.item !== item) limited(Math.max(suspicion.read, read));
      else suspicion = { item, read };
    },
    worked(read) {
      if (suspicion && read > suspicion.read) suspicion = null;
      if (current === most || read <= current / 2) return;
      successes += 1;
      if (successes >= growsAfter) [current, successes, hasGrown] = [Math.min(most, current * 2), 0, true];
    },
  };
}
