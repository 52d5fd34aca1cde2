/** The paths of output: what each asks of selection. */
import type { Asked, NamedRegion, PopularQuestion, RankQuestion, Taste } from '../selection/messages.ts';

export const PATH_NAMES = ['similar', 'feed', 'next', 'popular', 'together', 'search', 'suggest'] as const;
export type PathName = (typeof PATH_NAMES)[number];

/** What a kind of question asks besides what all of them do. */
type Asking<Q extends RankQuestion> = Q extends RankQuestion ? Omit<Q, keyof Asked> : never;

/** What a question goes by besides its rules. */
export interface AskedBy {
  subjects: readonly string[];
  taste: Taste;
  places: readonly NamedRegion[];
  exploration: number;
  /** Drawn for each answer. */
  seed: number;
  explain: boolean;
  /** Null: the project's own. */
  model: string | null;
}

/** What every path says of itself; searches ask questions of their own (output/search). */
export interface NamedPath {
  /** As snapshots and metrics name it. */
  name: PathName;
  /** Whether what the person has met may come, where the request says nothing. */
  includeSeen: boolean;
  /** Items of one author on a page, where the request says nothing; null: any number, whatever it says. */
  maxPerAuthor: number | null;
  /** Whether it goes by what the person has met and likes. */
  isPersonal: boolean;
}

export interface OutputPath extends NamedPath {
  asking(by: AskedBy): Asking<RankQuestion>;
}

/** A page of one author is what somebody may want of a subject, and nobody of a feed. */
export const MAX_PER_AUTHOR = 3;

export const similarPath: OutputPath = {
  name: 'similar',
  includeSeen: true,
  maxPerAuthor: null,
  isPersonal: false,
  asking: ({ subjects: [item = ''] }) => ({ kind: 'similar', item }),
};

export const feedPath: OutputPath = {
  name: 'feed',
  includeSeen: false,
  maxPerAuthor: MAX_PER_AUTHOR,
  isPersonal: true,
  asking: ({ subjects: _none, ...by }) => ({ kind: 'feed', ...by }),
};

export const nextPath: OutputPath = {
  name: 'next',
  includeSeen: false,
  maxPerAuthor: MAX_PER_AUTHOR,
  isPersonal: true,
  asking: ({ subjects: session, places: _none, ...by }) => ({ kind: 'next', session, ...by }),
};

/** What is popular of a period, or rises, in a region or everywhere. */
export function popularPath(of: Pick<PopularQuestion, 'period' | 'trend' | 'region'>): OutputPath {
  return {
    name: 'popular',
    includeSeen: false,
    maxPerAuthor: MAX_PER_AUTHOR,
    isPersonal: false,
    asking: () => ({ kind: 'popular', ...of }),
  };
}

export const togetherPath: OutputPath = {
  name: 'together',
  includeSeen: true,
  maxPerAuthor: null,
  isPersonal: false,
  asking: ({ subjects: items, model }) => ({ kind: 'together', items, model }),
};

export const searchPath: NamedPath = { name: 'search', includeSeen: true, maxPerAuthor: null, isPersonal: false };
export const suggestPath: NamedPath = { name: 'suggest', includeSeen: true, maxPerAuthor: null, isPersonal: false };
