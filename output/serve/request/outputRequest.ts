/** A request for output, common to all paths. */
import type { OutputPerson } from '../../../db/output/person/person.ts';
import type { OutputSnapshot } from '../../../db/output/snapshots.ts';
import type { Pin } from '../../../domain/output/page/pinsAndAuthors.ts';
import type { Boost } from '../../../domain/output/boosts.ts';
import type { BoundFilter } from '../../../domain/output/propertyFilters.ts';
import type { RecommendationFacts } from '../../../domain/output/recommendationId.ts';
import type { AgeRating } from '../../../domain/output/mayShow.ts';
import type { ItemType } from '../../../domain/analysis/steps.ts';
import type { PagePosition } from './cursors.ts';
import type { NamedPath, OutputPath } from './pathsAndDefaults.ts';
import type { AnswerField } from './answerFields.ts';

export interface OutputRequest<P extends NamedPath = OutputPath> {
  projectId: string;
  path: P;
  /** When it began to be read, on the clock of `performance`. */
  startedAt: number;
  /** Null for an anonymous request, and for an unknown person. */
  person: OutputPerson | null;
  /** The latest change of an item of the project, in microseconds since 1970; null when there was none. */
  changedAt: number | null;
  /** Items that the answer is about; they are never part of it. */
  subjects: readonly string[];
  surface: string | null;
  /** The variant of the surface's experiment; null outside one. */
  variant: RecommendationFacts['variant'];
  /** Set on the first page of an answer under an experiment. */
  lot: OutputSnapshot['lot'];
  /** The model that the variant ranks by; null means the project's own. */
  model: string | null;
  /** Fields of the items in the answer besides their ids. */
  fields: readonly AnswerField[];
  /** The answer includes the parts of the scores. */
  explain: boolean;
  limit: number;
  /** The end of the previous page; null for the first page. */
  position: PagePosition | null;
  /** {@link PagePosition.bodyHash} */
  bodyHash: string;
  filters: readonly BoundFilter[];
  types: readonly ItemType[] | null;
  authors: readonly string[] | null;
  excludedAuthors: readonly string[];
  publishedAfter: Date | null;
  publishedBefore: Date | null;
  maxAgeRating: AgeRating | null;
  exclude: readonly string[];
  includeSeen: boolean;
  boosts: readonly Boost[];
  pins: readonly Pin[];
  /** 0 to 1. */
  diversity: number;
  /** Maximum number of items per author on a page; null means no limit. */
  maxPerAuthor: number | null;
  /** Items shown to the person within this number of hours and not opened are moved down; 0 turns this off. */
  rotationHours: number;
  /** Share of the positions from the third on that new items get. */
  exploration: number;
  /** Location of the person. */
  context: { city: string | null; country: string | null } | null;
}
