/** What every kind of life of the load is given. */
import type { Expected, ProjectName } from './expected.ts';
import type { Random } from './random.ts';
import type { Sender, Target } from './sender.ts';

/**
 * A life: the writes about one thing (an item, an order, a person, a batch of events), one after the
 * other, each sent when the one before is accepted. Lives run beside each other.
 */
export type Life = (n: number, random: Random) => Promise<void>;

export interface SiteTarget {
  id: string;
  /** Of the tag's intake. */
  origin: string;
  tagKey: string;
  /** Of the analytics API, and a key of it. */
  url: string;
  key: string;
}

/** Where trainings of a project that has something to learn from are asked for. */
export interface TrainingTarget {
  cabinet: Target;
  path: string;
}

export interface LivesDeps {
  sender: Sender;
  targets: Record<ProjectName, Target>;
  expected: Expected;
  site: SiteTarget;
  training: TrainingTarget;
  /** https address of the pictures and videos. */
  mediaUrl: string;
  /** Items that are there from the start: events and orders are about them. */
  baseItems: readonly string[];
  /** The time of the next event (ISO-8601): a millisecond after the one before, so that "the latest" is one. */
  occurrence(): string;
  /** Ends a wait between two writes with a throw. */
  signal: AbortSignal;
}
