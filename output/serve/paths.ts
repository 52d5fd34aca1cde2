/** The paths of output: what each asks of selection, and what it shows when selection does not answer. */
import type { Asked, RankQuestion } from '../selection/messages.ts';
import type { FallbackKind } from './fallbackLists.ts';

export const PATH_NAMES = ['similar'] as const;
export type PathName = (typeof PATH_NAMES)[number];

/** What a kind of question asks besides what all of them do. */
type Asking<Q extends RankQuestion> = Q extends RankQuestion ? Omit<Q, keyof Asked> : never;

export interface OutputPath {
  /** As snapshots and metrics name it. */
  name: PathName;
  /** Whether what the person has met may come, where the request says nothing. */
  includeSeen: boolean;
  asking(subjects: readonly string[]): Asking<RankQuestion>;
  fallback: FallbackKind;
}

export const similarPath: OutputPath = {
  name: 'similar',
  includeSeen: true,
  asking: ([item = '']) => ({ kind: 'similar', item }),
  fallback: 'newest',
};
