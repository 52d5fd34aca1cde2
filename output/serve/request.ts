/** A request for output, as every path brings it. */
import type { Pin } from '../../domain/output/arrange.ts';
import type { Boost } from '../../domain/output/boosts.ts';
import type { BoundFilter } from '../../domain/output/filters.ts';
import type { RecommendationFacts } from '../../domain/output/recommendationId.ts';
import type { AgeRating } from '../../domain/output/mayShow.ts';
import type { Identifier } from '../../domain/identity.ts';
import type { ItemType } from '../../domain/steps.ts';
import type { PagePlace } from './cursors.ts';
import type { NamedPath, OutputPath } from './paths.ts';
import type { ToldField } from './told.ts';

export interface OutputRequest<P extends NamedPath = OutputPath> {
  projectId: string;
  path: P;
  /** They name the person, the one that decides first; empty for nobody. */
  identifiers: readonly Identifier[];
  /** Items that the answer is about, and that are never in it. */
  subjects: readonly string[];
  surface: string | null;
  /** Of the surface's experiment; null outside one. */
  variant: RecommendationFacts['variant'];
  /** The model that the variant ranks by; null: the project's own. */
  model: string | null;
  /** What the answer tells of its items beside their ids. */
  fields: readonly ToldField[];
  /** Whether it tells what their scores are made of. */
  explain: boolean;
  limit: number;
  /** Where the page before has ended; null for the first page. */
  place: PagePlace | null;
  /** Made of the path and the body without its cursor: {@link PagePlace.bodyHash}. */
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
  /** From 0 to 1. */
  diversity: number;
  /** Items of one author on a page; null: any number. */
  maxPerAuthor: number | null;
  /** What was shown to the person within so many hours and not opened comes further down; 0: nothing does. */
  rotationHours: number;
  /** The share of the places from the third on that new items get. */
  exploration: number;
  /** Where whoever asks is. */
  context: { city: string | null; country: string | null } | null;
}
