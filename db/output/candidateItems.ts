/** Candidates as the tables have them at this moment: what the rules ask, and what an answer tells of them. */
import type { AgeRating } from '../../domain/output/mayShow.ts';
import type { ItemStatus, ItemType } from '../../domain/steps.ts';
import { JOIN_RESULTS } from '../items/currentResults.ts';
import type { Queryable } from '../pool.ts';
import type { CatalogueItem } from './catalogue.ts';
import { metIn } from './seen.ts';

/** What an answer may tell of an item beside what the rules ask. */
export interface ToldFields {
  title: string | null;
  url: string | null;
  summary: string | null;
  /** The address of its first picture, as the integrator gave it. */
  imageUrl: string | null;
}

export interface CandidateItem extends CatalogueItem {
  /** Null where nothing is to be told. */
  told: ToldFields | null;
}

export interface CandidatesWanted {
  ids: readonly string[];
  /** Identities of a person whose items are left out, all those that any of them has met; empty: none are. */
  unmetBy: readonly string[];
  /** Whether {@link CandidateItem.told} is read. */
  isTold: boolean;
}

type Packed = [
  id: string,
  type: ItemType,
  author: string | null,
  publishedSeconds: number,
  properties: Record<string, unknown> | null,
  available: boolean,
  deleted: boolean,
  status: ItemStatus,
  ageRating: AgeRating | null,
  topics: string[] | null,
  tags: string[] | null,
  ...told: [] | [title: string | null, url: string | null, summary: string | null, imageUrl: string | null],
][];

const JUDGED = `i.id, i.type, i.author, extract(epoch from i.published_at), i.properties, i.available, i.deleted, i.status,
  s.summary -> 'age_rating', s.summary -> 'topics', s.summary -> 'tags'`;
const TOLD = `i.title, i.url, s.summary -> 'summary',
  (select m.url from item_media m where m.project_id = i.project_id and m.item_id = i.id and m.kind = 'image'
    order by m.position limit 1)`;

/** By id; items that the project does not have are missing. @throws when the database does not answer */
export async function readCandidateItems(
  pool: Queryable,
  projectId: string,
  { ids, unmetBy, isTold }: CandidatesWanted,
): Promise<Map<string, CandidateItem>> {
  const { rows } = await pool.query<{ items: Packed | null }>({
    name: isTold ? 'output-items-told' : 'output-items',
    // Packed as JSON: a row for each costs the driver more than the database.
    text: `select json_agg(json_build_array(${isTold ? `${JUDGED}, ${TOLD}` : JUDGED})) as items
             from items i ${JOIN_RESULTS}
            where i.project_id = $1 and i.id = any($2::text[])
              and not ${metIn('events', '$3', 'i.id')} and not ${metIn('event_states', '$3', 'i.id')}`,
    values: [projectId, ids, unmetBy],
  });
  return new Map((rows[0]?.items ?? []).map((item) => [item[0], unpack(item)]));
}

function unpack([
  id,
  type,
  author,
  publishedSeconds,
  properties,
  available,
  deleted,
  status,
  ageRating,
  topics,
  tags,
  ...told
]: Packed[number]): CandidateItem {
  const [title, url, summary, imageUrl] = told;
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
    told:
      title === undefined ? null : { title, url: url ?? null, summary: summary ?? null, imageUrl: imageUrl ?? null },
  };
}
