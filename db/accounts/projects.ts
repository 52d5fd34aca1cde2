/** Projects: the tenants of the content API. */
import type pg from 'pg';
import { DEFAULT_EVENT_TYPES } from '../../domain/events/eventTypes.ts';
import { insertEventTypes } from '../events/eventTypes.ts';
import type { ProjectLimits } from '../../domain/accounts/projectLimits.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { cancelReruns } from '../reruns/reruns.ts';
import { compareModelsAgain } from '../analysis/stepModels.ts';
import { cancelRecoveries } from '../webhooks/deliveries/recoveries.ts';

export type ProjectState = 'active' | 'suspended' | 'archived';

export interface StoredProject {
  id: string;
  title: string;
  state: ProjectState;
  monthlyVolume: number | null;
  fingerprints: boolean;
  /** Only those that differ from the defaults. */
  limits: Partial<ProjectLimits>;
  /** `auto` or an ISO 639-1 code: the language in which the analysis writes. */
  language: string;
  /** The topics that the analysis may choose from; empty means any topic. */
  topics: string[];
  /** The site whose pages show its items. */
  siteId: string | null;
  createdAt: Date;
}

/** The fields that a change sets; absent fields keep their values. */
export interface ProjectChange {
  title?: string;
  state?: ProjectState;
  monthlyVolume?: number | null;
  fingerprints?: boolean;
  language?: string;
  topics?: string[];
  siteId?: string | null;
  /** Merged into the stored limits; null resets a limit to its documented default. */
  limits?: { [K in keyof ProjectLimits]?: number | null };
}

const COLUMNS = `id, title, state, monthly_volume as "monthlyVolume", fingerprints, limits, language, topics, site_id as "siteId", created_at as "createdAt"`;

/** Creates a project with the event types that every new one has. */
export async function insertProject(
  pool: Queryable,
  project: { id: string; clientId: string; title: string },
): Promise<StoredProject> {
  const { rows } = await pool.query<StoredProject>(
    `with project as (insert into projects (id, client_id, title) values ($1, $2, $3) returning *),
          types as (${insertEventTypes('(select id from project)', '$4')})
     select ${COLUMNS} from project`,
    [project.id, project.clientId, project.title, JSON.stringify(DEFAULT_EVENT_TYPES)],
  );
  if (!rows[0]) throw new Error('a project was inserted but not returned');
  return rows[0];
}

export async function findProject(pool: Queryable, id: string): Promise<StoredProject | null> {
  const { rows } = await pool.query<StoredProject>(`select ${COLUMNS} from projects where id = $1`, [id]);
  return rows[0] ?? null;
}

/** Returns projects in id order, after the given one; those of `among`, or all when it is null. */
export async function listProjects(
  pool: Queryable,
  page: { after: string | null; limit: number },
  among: readonly string[] | null = null,
): Promise<StoredProject[]> {
  const { rows } = await pool.query<StoredProject>(
    `select ${COLUMNS} from projects
      where ($1::text is null or id > $1) and ($3::text[] is null or id = any($3)) order by id limit $2`,
    [page.after, page.limit, among],
  );
  return rows;
}

/**
 * Changes the named fields; null when there is no such project, or when it is suspended and may not be changed. When
 * the project is no longer active, the recoveries of its webhooks and its requested reruns end; in the archive, so do
 * the reruns after changes of models. When it returns from the archive, a new rerun covers the changes that it missed.
 */
export function updateProject(
  pool: pg.Pool,
  id: string,
  change: ProjectChange,
  { unlessSuspended = false }: { unlessSuspended?: boolean } = {},
): Promise<StoredProject | null> {
  return inTransaction(pool, async (client) => {
    const before = await client.query<{ state: ProjectState }>(
      'select state from projects where id = $1 for no key update',
      [id],
    );
    const stored = await writeChange(client, id, change, unlessSuspended);
    if (stored && stored.state !== 'active') {
      await cancelRecoveries(client, { projectId: id });
      await cancelReruns(client, { projectId: id }, { ofModels: stored.state === 'archived' });
    }
    if (stored && stored.state !== 'archived' && before.rows[0]?.state === 'archived')
      await compareModelsAgain(client, id);
    return stored;
  });
}

async function writeChange(
  client: Queryable,
  id: string,
  change: ProjectChange,
  unlessSuspended: boolean,
): Promise<StoredProject | null> {
  const { rows } = await client.query<StoredProject>(
    `update projects set
            title          = coalesce($2, title),
            state          = coalesce($3, state),
            monthly_volume = case when $4 then $5 else monthly_volume end,
            fingerprints   = coalesce($6, fingerprints),
            limits         = jsonb_strip_nulls(limits || coalesce($7, '{}'::jsonb)),
            language       = coalesce($9, language),
            topics         = coalesce($10, topics),
            site_id        = case when $11 then $12 else site_id end
      where id = $1 and not ($8 and state = 'suspended') returning ${COLUMNS}`,
    [
      id,
      change.title ?? null,
      change.state ?? null,
      change.monthlyVolume !== undefined,
      change.monthlyVolume ?? null,
      change.fingerprints ?? null,
      change.limits ?? null,
      unlessSuspended,
      change.language ?? null,
      change.topics ?? null,
      change.siteId !== undefined,
      change.siteId ?? null,
    ],
  );
  return rows[0] ?? null;
}
