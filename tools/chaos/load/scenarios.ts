/** The inputs of every kind of scenario of the load. */
import type { Expected, ProjectName } from './expected.ts';
import type { Random } from '../../load/random.ts';
import type { Sender, Target } from './sender.ts';

/**
 * A scenario: the writes about one thing (an item, an order, a person, a batch of events), in sequence, each sent when
 * the previous one is accepted. Scenarios run concurrently.
 */
export type Scenario = (n: number, random: Random) => Promise<void>;

export interface SiteTarget {
  id: string;
  /** Origin of the tag's intake. */
  origin: string;
  tagKey: string;
  /** Address of the analytics API, and a key for it. */
  url: string;
  key: string;
}

/** Where to request trainings of a project that has data to learn from. */
export interface TrainingTarget {
  cabinet: Target;
  path: string;
}

export interface ScenarioDeps {
  sender: Sender;
  targets: Record<ProjectName, Target>;
  expected: Expected;
  site: SiteTarget;
  training: TrainingTarget;
  /** https address of the pictures and videos. */
  mediaUrl: string;
  /** Items that exist from the start; events and orders refer to them. */
  baseItems: readonly string[];
  /**
   * Returns the time of the next event (ISO-8601), a millisecond after the previous one, so that "the latest" is
   * unique.
   */
  occurrence(): string;
  /** Once aborted, a wait between two writes throws. */
  signal: AbortSignal;
}
