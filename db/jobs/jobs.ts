/** Jobs (domain/jobs/jobs.ts): opened with the change that requests them, closed with the one that ends them. */
import type { JobKind, JobRef } from '../../domain/jobs/jobs.ts';
import { enqueue, type OutboxEntry } from './outbox.ts';
import type { Queryable } from '../pool.ts';

export interface JobEntry extends OutboxEntry {
  kind: JobKind;
}

/** Opens a job and hands it to the relay, in the caller's transaction. A job that is already open stays. */
export async function openJob(client: Queryable, job: JobEntry): Promise<void> {
  await client.query({
    name: 'job-open',
    // Not the beginning of the transaction, which may have waited for locks (db/events/rejections.ts).
    text: `insert into jobs (project_id, kind, entity_id, priority, request_id, created_at)
           values ($1, $2, $3, $4, $5, clock_timestamp()) on conflict do nothing`,
    values: [job.projectId, job.kind, job.entityId, job.priority, job.requestId],
  });
  await enqueue(client, [job]);
}

/** Closes a job, in the transaction of its last change. */
export async function closeJob(client: Queryable, { projectId, kind, entityId }: JobRef): Promise<void> {
  await client.query({
    name: 'job-close',
    text: 'delete from jobs where project_id = $1 and kind = $2 and entity_id = $3',
    values: [projectId, kind, entityId],
  });
}

export interface OpenJob extends JobEntry {
  /** PostgreSQL's own text, which keeps its microseconds. */
  createdAt: string;
}

/** Returns jobs older than `graceMs` without an outbox row, oldest first, after the given one. */
export async function listOpenJobs(
  pool: Queryable,
  { graceMs, after, limit }: { graceMs: number; after: OpenJob | null; limit: number },
): Promise<OpenJob[]> {
  const { rows } = await pool.query<OpenJob>(
    `select project_id as "projectId", kind, entity_id as "entityId", priority, request_id as "requestId", created_at::text as "createdAt"
       from jobs j
      where created_at < now() - $1::float8 * interval '1 millisecond'
        and ($2::timestamptz is null or (created_at, project_id, kind, entity_id) > ($2::timestamptz, $3, $4, $5))
        and not exists (select from outbox o where o.kind = j.kind and o.project_id = j.project_id and o.entity_id = j.entity_id)
      order by created_at, project_id, kind, entity_id limit $6`,
    [graceMs, after?.createdAt ?? null, after?.projectId ?? null, after?.kind ?? null, after?.entityId ?? null, limit],
  );
  return rows;
}
