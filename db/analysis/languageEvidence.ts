/** Evidence of the language of an item. */
import type { ItemRef } from '../../domain/items/item.ts';
import type { OwnTexts } from '../../domain/items/plainText.ts';
import type { Queryable } from '../pool.ts';

/**
 * Characters of an item's own description and body. The first 2,000 that readers see tell the language; style sheets
 * and markup before them are many times as long, but reading a body of a million would hold up the process.
 */
const OWN_CHARACTERS = 100_000;

export interface ItemLanguage {
  /** ISO 639-1 code that the project wants; null means the language of the content. */
  wanted: string | null;
  /** The beginnings of the item's own texts, as they were sent. */
  own: OwnTexts;
}

/** Returns null when the item does not exist or is deleted. */
export async function readItemLanguage(pool: Queryable, ref: ItemRef): Promise<ItemLanguage | null> {
  const { rows } = await pool.query<ItemLanguage>({
    name: 'item-language',
    text: `select nullif(p.language, 'auto') as wanted,
                  jsonb_build_object('title', i.title, 'description', left(i.description, ${OWN_CHARACTERS}),
                                     'body', left(i.body, ${OWN_CHARACTERS})) as own
             from items i join projects p on p.id = i.project_id
            where i.project_id = $1 and i.id = $2 and not i.deleted`,
    values: [ref.projectId, ref.itemId],
  });
  return rows[0] ?? null;
}

/** Number of analysed items of a project that are looked at: enough for a majority, and only a few pages to read. */
const NEIGHBOURS = 100;
/** Characters of a neighbour's description and of its body: some hundred words, and the markup around them. */
const NEIGHBOUR_CHARACTERS = 3_000;

export interface LanguageEvidence {
  /** The beginning of the transcripts; empty when there are none yet. */
  heard: string;
  /** The beginning of the texts that were read in pictures; empty when there are none yet. */
  seen: string;
  /** Other analysed items of the project; at most a hundred. */
  neighbours: NeighbourLanguage[];
}

/** The texts of one item and its stated language, as evidence of the language of its project. */
export interface NeighbourLanguage {
  /** The beginnings of the item's own texts, as they were sent. */
  own: OwnTexts;
  /** The beginning of its transcripts. */
  heard: string;
  /** The language that the summariser stated, as ISO 639-1; a hostile item may have told it what to state. */
  stated: string | null;
}

/** Returns evidence of the language of an item whose own texts give none. */
export async function readLanguageEvidence(pool: Queryable, ref: ItemRef): Promise<LanguageEvidence> {
  const { rows } = await pool.query<LanguageEvidence>({
    name: 'item-language-evidence',
    text: `select coalesce((select string_agg(left(t.text, 2000), E'\\n' order by m.position)
                              from item_transcripts t join item_media m using (project_id, item_id, medium_id)
                             where t.project_id = $1 and t.item_id = $2 and m.speech = 'done'), '') as heard,
                  coalesce((select string_agg(left(f.ocr_text, 500), E'\\n' order by m.position, f.ts)
                              from item_frames f join item_media m using (project_id, item_id, medium_id)
                             where f.project_id = $1 and f.item_id = $2 and m.vision in ('todo', 'done')), '') as seen,
                  (select coalesce(jsonb_agg(jsonb_build_object(
                            'own', jsonb_build_object('title', i.title, 'description', left(i.description, ${NEIGHBOUR_CHARACTERS}),
                                                      'body', left(i.body, ${NEIGHBOUR_CHARACTERS})),
                            'heard', coalesce((select left(string_agg(left(t.text, 300), E'\\n'), 600) from item_transcripts t
                                                where t.project_id = i.project_id and t.item_id = i.id), ''),
                            'stated', s.language)), '[]')
                     from (select item_id, summary ->> 'language' as language from item_summaries
                            where project_id = $1 and item_id <> $2 order by item_id limit ${NEIGHBOURS}) s
                     join items i on i.project_id = $1 and i.id = s.item_id and not i.deleted) as neighbours`,
    values: [ref.projectId, ref.itemId],
  });
  return rows[0] ?? { heard: '', seen: '', neighbours: [] };
}
