/** Waiting and failed work, each with its workflow. */
import type pg from 'pg';
import {
  readFailedWork,
  readOpenJobs,
  readWaitingWork,
  type Work,
  type WorkEntry,
} from '../../../db/installation/waitingAndFailedWork.ts';
import { deliveryWorkflowId, exportsWorkflowId, itemWorkflowId, jobWorkflowId } from '../../../domain/jobs/ids.ts';
import { JOB_KINDS } from '../../../domain/jobs/jobs.ts';
import { WORK_KINDS, type WorkKind } from './installationSchemas.ts';

/** Kinds of work that can fail. The others are retried until they succeed: they may wait longer, but never fail. */
const FAILING: ReadonlySet<WorkKind> = new Set<WorkKind>(['items', 'deliveries', 'import', 'exports', 'training']);

export async function readWork(pool: pg.Pool, temporalUrl: string | null) {
  const [waiting, jobs, failed] = await Promise.all([readWaitingWork(pool), readOpenJobs(pool), readFailedWork(pool)]);
  const waits = byKind([...waiting, ...jobs]);
  const failures = byKind(failed);
  return WORK_KINDS.map((kind) => {
    const [own, failedWork] = [waits.get(kind), failures.get(kind)];
    const toOutput = (entry: WorkEntry) => toEntry(kind, entry, temporalUrl);
    return {
      kind,
      waiting: own?.count ?? 0,
      oldest: (own?.entries ?? []).map(toOutput),
      failed: FAILING.has(kind) ? (failedWork?.count ?? 0) : null,
      latest_failed: (failedWork?.entries ?? []).map(toOutput),
    };
  });
}

const byKind = (works: readonly (Work & { kind: WorkKind })[]): Map<WorkKind, Work> =>
  new Map(works.map((work) => [work.kind, work]));

function toEntry(kind: WorkKind, { at, projectId, siteId, id }: WorkEntry, temporalUrl: string | null) {
  const workflow = workflowIdOf(kind, { projectId, siteId, id });
  const hasPage = temporalUrl !== null && workflow !== null;
  return {
    at: at.toISOString(),
    project_id: projectId,
    site_id: siteId,
    id,
    workflow_id: workflow,
    workflow_url: hasPage ? `${temporalUrl}/workflows/${encodeURIComponent(workflow)}` : null,
  };
}

function workflowIdOf(kind: WorkKind, { projectId, siteId, id }: Omit<WorkEntry, 'at'>): string | null {
  if (kind === 'exports') return siteId === null ? null : exportsWorkflowId(siteId);
  if (id === null || projectId === null) return null;
  if (kind === 'items') return itemWorkflowId(projectId, id);
  if (kind === 'deliveries') return deliveryWorkflowId(id);
  const job = JOB_KINDS.find((one) => one === kind);
  return job === undefined ? null : jobWorkflowId({ kind: job, projectId, entityId: id });
}
