/** The paths of output: what each asks of selection, and what it shows when selection does not answer. */
import type { Asked, NamedRegion, RankQuestion, Taste } from '../selection/messages.ts';
import type { FallbackKind } from './fallbackLists.ts';

export const PATH_NAMES = ['similar', 'feed', 'next'] as const;
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
}

export interface OutputPath {
  /** As snapshots and metrics name it. */
  name: PathName;
  /** Whether what the person has met may come, where the request says nothing. */
  includeSeen: boolean;
  /** Whether it goes by what the person has met and likes. */
  isPersonal: boolean;
  asking(by: AskedBy): Asking<RankQuestion>;
  fallback: FallbackKind;
}

export const similarPath: OutputPath = {
  name: 'similar',
  includeSeen: true,
  isPersonal: false,
  asking: ({ subjects: [item = ''] }) => ({ kind: 'similar', item }),
  fallback: 'newest',
};

export const feedPath: OutputPath = {
  name: 'feed',
  includeSeen: false,
  isPersonal: true,
  asking: ({ subjects: _none, ...by }) => ({ kind: 'feed', ...by }),
  fallback: 'newest',
};

export const nextPath: OutputPath = {
  name: 'next',
  includeSeen: false,
  isPersonal: true,
  asking: ({ subjects: session, places: _none, ...by }) => ({ kind: 'next', session, ...by }),
  fallback: 'newest',
};
