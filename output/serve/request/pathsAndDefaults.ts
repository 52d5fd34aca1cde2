/** The paths of output, what their requests have by default, and the question that each sends to selection. */
import { DEFAULT_PER_AUTHOR } from '../../../domain/output/page/pinsAndAuthors.ts';
import type {
  RankQuestionBase,
  NamedRegion,
  PopularQuestion,
  RankQuestion,
  Taste,
} from '../../messages/selectionMessages.ts';

export const PATH_NAMES = ['similar', 'feed', 'next', 'popular', 'together', 'search', 'suggest'] as const;
export type PathName = (typeof PATH_NAMES)[number];

/** The fields of a question besides the common ones. */
type QuestionFields<Q extends RankQuestion> = Q extends RankQuestion ? Omit<Q, keyof RankQuestionBase> : never;

/** The input of a question besides its rules. */
export interface QuestionInput {
  subjects: readonly string[];
  taste: Taste;
  places: readonly NamedRegion[];
  exploration: number;
  /** Random for each answer. */
  seed: number;
  explain: boolean;
  /** Null means the project's own model. */
  model: string | null;
}

/** The properties of every path; searches have their own questions (output/search). */
export interface NamedPath {
  /** Name in snapshots and metrics. */
  name: PathName;
  /** Default of the request: items that the person has met are included. */
  includeSeen: boolean;
  /**
   * Default of the request for the maximum number of items per author on a page; null means never limited, whatever the
   * request says.
   */
  maxPerAuthor: number | null;
  /** The path uses what the person has met and likes. */
  isPersonal: boolean;
}

export interface OutputPath extends NamedPath {
  questionFields(by: QuestionInput): QuestionFields<RankQuestion>;
}

export const similarPath: OutputPath = {
  name: 'similar',
  includeSeen: true,
  maxPerAuthor: null,
  isPersonal: false,
  questionFields: ({ subjects: [item = ''] }) => ({ kind: 'similar', item }),
};

export const feedPath: OutputPath = {
  name: 'feed',
  includeSeen: false,
  maxPerAuthor: DEFAULT_PER_AUTHOR,
  isPersonal: true,
  questionFields: ({ subjects: _none, ...by }) => ({ kind: 'feed', ...by }),
};

export const nextPath: OutputPath = {
  name: 'next',
  includeSeen: false,
  maxPerAuthor: DEFAULT_PER_AUTHOR,
  isPersonal: true,
  questionFields: ({ subjects: session, places: _none, ...by }) => ({ kind: 'next', session, ...by }),
};

/** Returns the path of popular items of a period, or rising ones, in a region or everywhere. */
export function popularPath(of: Pick<PopularQuestion, 'period' | 'trend' | 'region'>): OutputPath {
  return {
    name: 'popular',
    includeSeen: false,
    maxPerAuthor: DEFAULT_PER_AUTHOR,
    isPersonal: false,
    questionFields: () => ({ kind: 'popular', ...of }),
  };
}

export const togetherPath: OutputPath = {
  name: 'together',
  includeSeen: true,
  maxPerAuthor: null,
  isPersonal: false,
  questionFields: ({ subjects: items, model }) => ({ kind: 'together', items, model }),
};

export const searchPath: NamedPath = { name: 'search', includeSeen: true, maxPerAuthor: null, isPersonal: false };
export const suggestPath: NamedPath = { name: 'suggest', includeSeen: true, maxPerAuthor: null, isPersonal: false };
