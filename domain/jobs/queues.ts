/** Task queues, one per scarce resource. No other file names them; activityOptions.ts has their retries. */
export const QUEUES = {
  /** Workflow tasks and the short database activities that run beside them. */
  workflow: 'workflow',
  /** CPU: ffmpeg and sharp. */
  media: 'media',
  /** Provider calls. */
  ai: 'ai',
  /** Longer work on PostgreSQL: orders, histories of users, imports. */
  data: 'data',
  /** Outgoing requests: webhooks and mail. */
  webhook: 'webhook',
  /** The lake: DuckDB uses the memory and the cores assigned to it. */
  analytics: 'analytics',
  /** Reports that become files: one at a time, with an engine of its own. */
  exports: 'exports',
  /** Models of recommendations: one thread of low priority, and the memory for a project's events. */
  training: 'training',
} as const;

export type Queue = (typeof QUEUES)[keyof typeof QUEUES];

/**
 * Priority keys of Temporal (1 first, 5 last). A webhook's retry is due at its minute, whatever else has arrived since.
 * A single write goes before jobs, and jobs before a bulk load, which may be tens of thousands of items. Equal
 * priorities take turns by the fairness key (the project).
 */
export const PRIORITY = { retry: 1, single: 2, job: 3, bulk: 4 } as const;
