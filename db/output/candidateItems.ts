/** The present state of candidates in the tables: the fields that the rules need and those that an answer shows. */
import type { AgeRating } from '../../domain/output/mayShow.ts';
import type { ItemStatus, ItemType } from '../../domain/analysis/steps.ts';
import { JOIN_RESULTS } from '../currentResults.ts';
import type { Queryable } from '../pool.ts';
import type { CatalogueItem } from './catalogueChanges.ts';
import { metBy } from './person/seen.ts';

/** Fields of an item that an answer may show besides those that the rules need. */
export interface ShownFields {
  title: string | null;
  url: string | null;
  summary: string | null;
  /** The address of its first picture, as the integrator gave it. */
  imageUrl: string | null;
}

/** Fields that were not requested are empty. */
export interface CandidateItem extends CatalogueItem {
  shown: ShownFields;
}

/** The parts that are read only when they are needed: each costs more than everything that every request reads. */
export interface CandidateParts {
  properties: boolean;
  /** The age rating, topics, tags and the summary. */
  analysis: boolean;
  /** The title and the URL. */
  heading: boolean;
  picture: boolean;
}

export interface CandidateQuery {
  ids: readonly string[];
  /** Identities of a person: all items that any of them has met are left out. Empty: none are. */
  excludeSeenBy: readonly string[];
  parts: CandidateParts;
}

type Packed = [
  id: string,
  type: ItemType,
  author: string | null,
  publishedSeconds: number,
  available: boolean,
  deleted: boolean,
  status: ItemStatus,
  properties: Record<string, unknown> | null,
  ageRating: AgeRating | null,
  topics: string[] | null,
  tags: string[] | null,
  summary: string | null,
  title: string | null,
  url: string | null,
  imageUrl: string | null,
][];

const ALWAYS = 'i.id, i.type, i.author, extract(epoch from i.published_at), i.available, i.deleted, i.status';
const PARTS: Readonly<Record<keyof CandidateParts, readonly string[]>> = {
  properties: ['i.properties'],
  analysis: ['age_rating', 'topics', 'tags', 'summary'].map((field) => `s.summary -> '${field}'`),
  heading: ['i.title', 'i.url'],
  picture: [
    `(select m.url from item_media m where m.project_id = i.project_id and m.item_id = i.id and m.kind = 'image'
       order by m.position limit 1)`,
  ],
};
const PART_NAMES = ['properties', 'analysis', 'heading', 'picture'] as const satisfies (keyof CandidateParts)[];

/** Returns the statement, whose result is packed as JSON: one row per item costs the driver more than the database. */
function statementOf(parts: CandidateParts): string {
  const columns = PART_NAMES.flatMap((name) => (parts[name] ? PARTS[name] : PARTS[name].map(() => 'null')));
  return `
    select json_agg(json_build_array(${ALWAYS}, ${columns.join(', ')})) as items
      from items i ${parts.analysis ? JOIN_RESULTS : ''}
     where i.project_id = $1 and i.id = any($2::text[])
       and not ${metBy('$3', 'i.id')}`;
}

/** Returns items by id; those that the project does not have are missing. @throws when the database does not answer */
export async function readCandidateItems(
  pool: Queryable,
  projectId: string,
  { ids, excludeSeenBy, parts }: CandidateQuery,
): Promise<Map<string, CandidateItem>> {
  const { rows } = await pool.query<{ items: Packed | null }>({
    // PostgreSQL plans each combination once per connection.
    name: `output-items-${PART_NAMES.map((name) => Number(parts[name])).join('')}`,
    text: statementOf(parts),
    values: [projectId, ids, excludeSeenBy],
  });
  return new Map((rows[0]?.items ?? []).map((item) => [item[0], unpack(item)]));
}

function unpack([
  id,
  type,
  author,
  publishedSeconds,
  available,
  deleted,
  status,
  properties,
  ageRating,
  topics,
  tags,
  summary,
  title,
  url,
  imageUrl,
]: Packed[number]): CandidateItem {
  return {
    id,
    type,
    author,
    publishedAt: new Date(Math.round(publishedSeconds * 1000)),
    properties,
    available,
    deleted,
    status,
    ageRating,
    topics: topics ?? [],
    tags: tags ?? [],
    shown: { title, url, summary, imageUrl },
  };
}
