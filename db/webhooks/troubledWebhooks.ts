/** Webhooks that need attention: failing for long, or with too long a backlog. */
import { failsFor, WEBHOOK_COLUMNS, type StoredWebhook } from './webhooks.ts';
import type { Queryable } from '../pool.ts';

/** A webhook outside its project's list. */
export interface TroubledWebhook extends StoredWebhook {
  projectId: string;
  projectTitle: string;
}

export interface TroublePosition {
  projectId: string;
  webhookId: string;
}

/** Webhooks of active projects: the others send nothing, so nothing can be fixed there. */
const TROUBLED = `
    from webhooks w
    join projects p on p.id = w.project_id and p.state = 'active'
    join clients c on c.id = p.client_id and c.state = 'active'
   where w.enabled and (${failsFor('failing_1h')} or w.backlog_since is not null)`;

/**
 * Returns webhooks that have failed for at least an hour, or whose new events are dropped, by project and id.
 * @param among ids of projects, or null for all
 */
export async function listTroubledWebhooks(
  pool: Queryable,
  page: { after: TroublePosition | null; limit: number },
  among: readonly string[] | null,
): Promise<TroubledWebhook[]> {
  const { rows } = await pool.query<TroubledWebhook>(
    `select w.project_id as "projectId", p.title as "projectTitle", ${WEBHOOK_COLUMNS} ${TROUBLED}
        and ($1::text is null or (w.project_id, w.id) > ($1, $2::uuid)) and ($3::text[] is null or w.project_id = any($3))
      order by w.project_id, w.id limit $4`,
    [page.after?.projectId ?? null, page.after?.webhookId ?? null, among, page.limit],
  );
  return rows;
}

export interface WebhookTroubles {
  /** Number of webhooks that have failed for at least an hour, including those that have failed for a day. */
  failing1h: number;
  failing24h: number;
  overBacklog: number;
}

/** Counts them over the installation; reads only those in trouble. */
export async function countTroubledWebhooks(pool: Queryable): Promise<WebhookTroubles> {
  const { rows } = await pool.query<WebhookTroubles>({
    name: 'webhooks-troubled',
    text: `select count(*) filter (where ${failsFor('failing_1h')})::int as "failing1h",
                  count(*) filter (where ${failsFor('failing_24h')})::int as "failing24h",
                  count(w.backlog_since)::int as "overBacklog" ${TROUBLED}`,
  });
  if (!rows[0]) throw new Error('the count of webhooks returned no row');
  return rows[0];
}
