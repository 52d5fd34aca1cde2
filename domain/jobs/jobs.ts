/**
 * Jobs: work that one workflow does once. A job is opened in the transaction that requests the work and closed in the
 * one that ends it; in between the reconciler makes sure that it runs.
 */
export const JOB_KINDS = [
  'orders',
  'user-link',
  'user-delete',
  'import',
  'rerun',
  'webhook-recovery',
  'training',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** The input of every job's workflow: ids only. */
export interface JobInput {
  projectId: string;
  /** Id of the order request, the identity, the import, the rerun, the recovery or the model. */
  entityId: string;
  /**
   * The workflow closes as failed when the job failed, and its search attributes show the outcome. Workflows from
   * before this flag do not.
   */
  tellsOutcome?: true;
}

export interface JobRef extends JobInput {
  kind: JobKind;
}

/** The workflow type of each kind of job, and its description for operators. */
export const JOB_WORKFLOWS: Readonly<Record<JobKind, { workflow: string; summary: string }>> = {
  orders: { workflow: 'expandOrders', summary: 'orders of request' },
  'user-link': { workflow: 'linkUser', summary: 'history of identity' },
  'user-delete': { workflow: 'deleteUser', summary: 'purge of identity' },
  import: { workflow: 'importItems', summary: 'import' },
  rerun: { workflow: 'rerunItems', summary: 'new analysis' },
  'webhook-recovery': { workflow: 'recoverDeliveries', summary: 'recovery of webhook deliveries' },
  training: { workflow: 'trainProject', summary: 'training of model' },
};
