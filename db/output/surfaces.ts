/** Surfaces and the experiments on them (migrations/0083_surfaces.sql). */
import { OUTPUT_DAYS } from '../../domain/output/outputRetention.ts';
import type pg from 'pg';
import {
  SURFACES_PER_PROJECT,
  namedModels,
  type Experiment,
  type Surface,
  type Variant,
} from '../../domain/output/surfaces.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { deleteEarlierSamples, deleteOrphanedSamples } from '../people/experimentPeople.ts';
import { readKeptModels } from '../training/currentModels.ts';
import { EXPERIMENTS_PER_PROJECT } from '../../domain/experiments/experimentLimits.ts';

export interface StoredSurface extends Surface {
  updatedAt: Date;
}

type SurfaceRow = Omit<StoredSurface, 'experiment'> & {
  experimentId: string | null;
  startsAt: Date | null;
  endsAt: Date | null;
  variants: Variant[] | null;
};

const SURFACES = `
  select s.name, s.defaults, s.boosts, s.pins, s.updated_at as "updatedAt",
         e.id as "experimentId", e.starts_at as "startsAt", e.ends_at as "endsAt", e.variants
    from output_surfaces s left join output_experiments e on e.project_id = s.project_id and e.id = s.experiment_id`;

/** Returns all surfaces of a project, by name. */
export async function listSurfaces(pool: Queryable, projectId: string): Promise<StoredSurface[]> {
  const { rows } = await pool.query<SurfaceRow>(`${SURFACES} where s.project_id = $1 order by s.name`, [projectId]);
  return rows.map(toSurface);
}

/**
 * Returns a surface; null when the project has none of that name. Every request that names a surface runs these two
 * look-ups by primary key, so that a change takes effect on the next one.
 */
export async function findSurface(pool: Queryable, projectId: string, name: string): Promise<StoredSurface | null> {
  const { rows } = await pool.query<SurfaceRow>({
    name: 'output-surface',
    text: `${SURFACES} where s.project_id = $1 and s.name = $2`,
    values: [projectId, name],
  });
  return rows[0] ? toSurface(rows[0]) : null;
}

function toSurface({ experimentId, startsAt, endsAt, variants, ...surface }: SurfaceRow): StoredSurface {
  const experiment =
    experimentId === null || startsAt === null || variants === null
      ? null
      : { id: experimentId, from: startsAt, until: endsAt, variants };
  return { ...surface, experiment };
}

export type PutSurfaceOutcome =
  | { outcome: 'created' | 'replaced'; surface: StoredSurface }
  | { outcome: 'no_project' | 'full' | ExperimentFault };

/**
 * `taken`: another surface has or had the experiment; `variants`: it has answered with other variants; `too_many`: the
 * project is at its limit; `models`: it names a model that is not published or whose file is not kept.
 */
export type ExperimentFault = 'taken' | 'variants' | 'too_many' | 'models';

/**
 * Creates a surface or replaces it entirely. Changes of one project's surfaces wait for each other and for the
 * publication of a model (db/training/models.ts), which removes files that no experiment names.
 */
export function putSurface(pool: pg.Pool, projectId: string, surface: Surface): Promise<PutSurfaceOutcome> {
  return inTransaction(pool, async (client): Promise<PutSurfaceOutcome> => {
    const { rowCount } = await client.query('select from projects where id = $1 for no key update', [projectId]);
    if (rowCount === 0) return { outcome: 'no_project' };
    const { rows: names } = await client.query<{ name: string }>(
      'select name from output_surfaces where project_id = $1',
      [projectId],
    );
    const isKnown = names.some(({ name }) => name === surface.name);
    if (!isKnown && names.length >= SURFACES_PER_PROJECT) return { outcome: 'full' };
    const fault = surface.experiment && (await experimentFault(client, projectId, surface.name, surface.experiment));
    if (fault) return { outcome: fault };
    await writeSurface(client, projectId, surface);
    await detachOthers(client, projectId, surface.name, surface.experiment?.id ?? null);
    if (surface.experiment) await writeExperiment(client, projectId, surface.name, surface.experiment);
    const stored = await findSurface(client, projectId, surface.name);
    if (!stored) throw new Error('a surface was written but cannot be read back');
    return { outcome: isKnown ? 'replaced' : 'created', surface: stored };
  });
}

/** Ids of answers name a variant by its index: an index keeps its meaning, and new variants are appended. */
async function experimentFault(
  client: Queryable,
  projectId: string,
  surface: string,
  { id, variants }: Experiment,
): Promise<ExperimentFault | null> {
  const { rows } = await client.query<{ id: string; surface: string; names: string[] }>(
    `select id, surface, array(select jsonb_array_elements(variants) ->> 'name') as names
       from output_experiments where project_id = $1`,
    [projectId],
  );
  const known = rows.find((one) => one.id === id);
  if (!known && rows.length >= EXPERIMENTS_PER_PROJECT) return 'too_many';
  if (known && known.surface !== surface) return 'taken';
  if (known && !known.names.every((name, at) => variants[at]?.name === name)) return 'variants';
  const models = namedModels(variants);
  return (await readKeptModels(client, projectId, models)).length === new Set(models).size ? null : 'models';
}

async function writeSurface(
  client: Queryable,
  projectId: string,
  { name, defaults, boosts, pins, experiment }: Surface,
): Promise<void> {
  await client.query(
    `insert into output_surfaces (project_id, name, defaults, boosts, pins, experiment_id) values ($1, $2, $3, $4, $5, $6)
     on conflict (project_id, name) do update
        set defaults = excluded.defaults, boosts = excluded.boosts, pins = excluded.pins,
            experiment_id = excluded.experiment_id, updated_at = now()`,
    [projectId, name, JSON.stringify(defaults), JSON.stringify(boosts), JSON.stringify(pins), experiment?.id ?? null],
  );
}

async function writeExperiment(
  client: Queryable,
  projectId: string,
  surface: string,
  { id, from, until, variants }: Experiment,
): Promise<void> {
  await client.query(
    `insert into output_experiments as e (project_id, id, surface, starts_at, ends_at, variants) values ($1, $2, $3, $4, $5, $6)
     on conflict (project_id, id) do update
        set starts_at = excluded.starts_at, ends_at = excluded.ends_at, variants = excluded.variants, detached_at = null,
            changed_at = case when e.variants = excluded.variants then e.changed_at else now() end`,
    [projectId, id, surface, from, until, JSON.stringify(variants)],
  );
  await deleteEarlierSamples(client, projectId, id);
}

/** Ends the experiments that the surface had before. */
async function detachOthers(
  client: Queryable,
  projectId: string,
  surface: string,
  experimentId: string | null,
): Promise<void> {
  await client.query(
    `update output_experiments set detached_at = now()
      where project_id = $1 and surface = $2 and id is distinct from $3 and detached_at is null`,
    [projectId, surface, experimentId],
  );
}

/** Deletes a surface. False when the project has no such surface. */
export function deleteSurface(pool: pg.Pool, projectId: string, name: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query('select from projects where id = $1 for no key update', [projectId]);
    const { rowCount } = await client.query('delete from output_surfaces where project_id = $1 and name = $2', [
      projectId,
      name,
    ]);
    await detachOthers(client, projectId, name, null);
    return rowCount === 1;
  });
}

/** Deletes old experiments. @returns how many were removed, at most `limit` */
export async function deleteOldExperiments(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from output_experiments where ctid = any(array(
       select ctid from output_experiments where detached_at < now() - interval '${OUTPUT_DAYS} days' limit $1))`,
    [limit],
  );
  if (rowCount) await deleteOrphanedSamples(pool);
  return rowCount ?? 0;
}
