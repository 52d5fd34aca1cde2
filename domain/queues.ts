/** Task queues, one per scarce resource; the only place that names them. */
export const QUEUES = {
  /** Workflow tasks and the short database activities that run beside them. */
  workflow: 'workflow',
  /** CPU: ffmpeg and sharp. */
  media: 'media',
  /** Provider calls. */
  ai: 'ai',
  /** Outgoing webhook requests. */
  webhook: 'webhook',
} as const;

export type Queue = (typeof QUEUES)[keyof typeof QUEUES];

/**
 * Priority keys of Temporal (1 first, 5 last). A single write goes ahead of a bulk load; among
 * equals the fairness key (the project) takes turns.
 */
export const PRIORITY = { single: 2, bulk: 4 } as const;
