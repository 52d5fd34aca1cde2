/** Synonyms of projects (migrations/0078_search_synonyms.sql). */
import type { SynonymRow } from '../../domain/search/synonymLimits.ts';
import type { Queryable } from '../pool.ts';

/** Returns the version; 0 before the first synonyms are written. */
export async function readSynonymsVersion(pool: Queryable, projectId: string): Promise<number> {
  const { rows } = await pool.query<{ version: string }>({
    name: 'search-synonyms-version',
    text: 'select version from search_synonyms where project_id = $1',
    values: [projectId],
  });
  return Number(rows[0]?.version ?? 0);
}

export async function readSynonyms(
  pool: Queryable,
  projectId: string,
): Promise<{ version: number; synonyms: SynonymRow[] }> {
  const { rows } = await pool.query<{ version: string; synonyms: SynonymRow[] }>({
    name: 'search-synonyms',
    text: 'select version, synonyms from search_synonyms where project_id = $1',
    values: [projectId],
  });
  return { version: Number(rows[0]?.version ?? 0), synonyms: rows[0]?.synonyms ?? [] };
}

/** Replaces all synonyms of a project. @returns false for an unknown project */
export async function putSynonyms(
  pool: Queryable,
  projectId: string,
  synonyms: readonly SynonymRow[],
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'search-synonyms-put',
    text: `insert into search_synonyms as known (project_id, synonyms)
           select id, $2::jsonb from projects where id = $1
           on conflict (project_id) do update
             set synonyms = excluded.synonyms, version = known.version + 1, updated_at = now()`,
    values: [projectId, JSON.stringify(synonyms)],
  });
  return rowCount === 1;
}
