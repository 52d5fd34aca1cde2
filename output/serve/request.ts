/** A request for output, as every path brings it. */
import type { BoundFilter } from '../../domain/output/filters.ts';
import type { AgeRating } from '../../domain/output/rules.ts';
import type { Identifier } from '../../domain/identity.ts';
import type { ItemType } from '../../domain/steps.ts';
import type { PagePlace } from './cursors.ts';
import type { OutputPath } from './paths.ts';

export interface OutputRequest {
  projectId: string;
  path: OutputPath;
  /** They name the person, the one that decides first; empty for nobody. */
  identifiers: readonly Identifier[];
  /** Items that the answer is about, and that are never in it. */
  subjects: readonly string[];
  surface: string | null;
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
}
