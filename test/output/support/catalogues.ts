/** Catalogues without a database. */
import type { CatalogueChange } from '../../../db/output/catalogueChanges.ts';
import { itemVector, type ItemVector } from '../../../domain/output/vectors.ts';
import { Catalogue } from '../../../output/selection/catalogue/catalogue.ts';
import type {
  FeedQuestion,
  NextQuestion,
  Ordering,
  SimilarQuestion,
  Taste,
} from '../../../output/messages/selectionMessages.ts';
import { NeighbourLists } from '../../../output/selection/vectors/neighbourLists.ts';
import { NO_RULES } from '../../support/showRules.ts';

/** Order by the ranking alone. */
export const PLAIN_ORDERING: Ordering = {
  boosts: [],
  lowered: [],
  perAuthor: null,
  diversity: 0,
  before: [],
  places: 0,
};

/** Returns a point of the circle: its cosine with 0° is the cosine of the angle. */
export function placedAt(degrees: number, model = 'circle'): ItemVector {
  const angle = (degrees / 180) * Math.PI;
  return { ...placed([Math.cos(angle), Math.sin(angle)]), model };
}

export function placed(numbers: ArrayLike<number>, model = 'circle'): ItemVector {
  const vector = itemVector([Float32Array.from(numbers)]);
  if (vector === null) throw new Error('no direction');
  return { ...vector, model };
}

let changes = 0n;

export function change(id: string, data: Partial<CatalogueChange> = {}): CatalogueChange {
  changes += 1n;
  return {
    id,
    type: 'text',
    author: null,
    publishedAt: new Date('2026-11-01T00:00:00Z'),
    properties: null,
    available: true,
    deleted: false,
    status: 'ready',
    ageRating: null,
    topics: [],
    tags: [],
    placed: null,
    position: { micros: changes, hash: 0n },
    ...data,
  };
}

export function catalogueOf(items: readonly CatalogueChange[], filterable: readonly string[] = []): Catalogue {
  const catalogue = new Catalogue(new NeighbourLists(), filterable);
  catalogue.apply(items);
  return catalogue;
}

export function similarTo(item: string, asked: Partial<SimilarQuestion> = {}): SimilarQuestion {
  const { rules = NO_RULES, ...others } = asked;
  return {
    kind: 'similar',
    item,
    projectId: 'p',
    suppressed: [],
    passedOver: [],
    ordering: PLAIN_ORDERING,
    limit: 10,
    ...others,
    rules: { ...rules, excludedItems: new Set([item, ...rules.excludedItems]) },
  };
}

type FeedOverrides = Partial<Omit<FeedQuestion, 'kind' | 'taste'>> & { taste?: Partial<Taste> };

/** Returns the question for an anonymous feed without randomness. */
export function feedFor({ taste, ...asked }: FeedOverrides = {}): FeedQuestion {
  return {
    kind: 'feed',
    places: [],
    projectId: 'p',
    rules: NO_RULES,
    suppressed: [],
    passedOver: [],
    ordering: PLAIN_ORDERING,
    limit: 10,
    exploration: 0,
    seed: 1,
    explain: false,
    model: null,
    ...asked,
    taste: { items: [], interests: [], followedAuthors: [], ...taste },
  };
}

export function nextAfter(session: readonly string[], asked: FeedOverrides = {}): NextQuestion {
  const { rules, places: _none, ...question } = feedFor(asked);
  return { ...question, kind: 'next', session, rules: { ...rules, excludedItems: new Set(session) } };
}
