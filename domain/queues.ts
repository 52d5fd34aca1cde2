/** Task queues, one per scarce resource; the only place that names them. */
export const QUEUES = {
  /** Workflow tasks and the short database activities that run beside them. */
  workflow: 'workflow',
  /** CPU: ffmpeg and sharp. */
  media: 'media',
  /** Provider calls. */
  ai: 'ai',
  /** Longer work on PostgreSQL: orders, histories of users, imports. */
  data: 'data',
  /** What goes out: webhook requests, and mail. */
  webhook: 'webhook',
  /** The lake: DuckDB takes the memory and the cores that it is given. */
  analytics: 'analytics',
  /** Reports that become files: one at a time, with an engine of its own. */
  exports: 'exports',
  /** Models of recommendations: one thread of low priority, and the memory that a project's events take. */
  training: 'training',
} as const;

export type Queue = (typeof QUEUES)[keyof typeof QUEUES];

/**
 * Priority keys of Temporal (1 first, 5 last). A webhook's retry is due at its minute, whatever else has come meanwhile.
 * A single write goes ahead of jobs, and those of a bulk load, which may be tens of thousands of items; among equals the
 * fairness key (the project) takes turns.
 */
export const PRIORITY = { retry: 1, single: 2, job: 3, bulk: 4 } as const;

/** Retries before a step is put off: at once after 2, 6 and 18 seconds. */
const QUICK_RETRY = { initialInterval: '2 seconds', backoffCoefficient: 3, maximumAttempts: 4 } as const;

/**
 * How each queue's activities are run; the one place to tune them. Activities beat every few
 * seconds, so a lost worker is noticed within the heartbeat timeout; the long limits only end what
 * still beats but never finishes.
 */
export const ACTIVITY_OPTIONS = {
  /** Of the longest medium that is accepted: download (15 min), the wait for a decoder behind three such media, decoding (a quarter of 4 h). */
  media: {
    taskQueue: QUEUES.media,
    startToCloseTimeout: '5 hours',
    heartbeatTimeout: '20 seconds',
    retry: QUICK_RETRY,
  },
  ai: { taskQueue: QUEUES.ai, startToCloseTimeout: '60 minutes', heartbeatTimeout: '20 seconds', retry: QUICK_RETRY },
  /** One chunk of a job. It is tried until it works: what was accepted is not given up. */
  data: {
    taskQueue: QUEUES.data,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
  /** Upkeep of the lake: a merge of large files takes minutes; a wait for staged rows, as long as the ingest is away. */
  analytics: {
    taskQueue: QUEUES.analytics,
    startToCloseTimeout: '2 hours',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
  },
  /** A report takes a minute at most, and its file some seconds; who fails again and again ends by himself (domain/exports.ts EXPORT_ATTEMPTS). */
  exports: {
    taskQueue: QUEUES.exports,
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
  /** Reading a project's events, or solving some thousand columns; finding out how to train takes longest. Who fails again and again ends by himself (activities/training/index.ts). */
  training: {
    taskQueue: QUEUES.training,
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
  /** The claim, the request's 10 s, and the 30 s for which a database that is away is waited for; no retry behind the workflow's back. */
  webhook: { taskQueue: QUEUES.webhook, startToCloseTimeout: '60 seconds', retry: { maximumAttempts: 1 } },
} as const;

/** A mail of the queue `webhook`: tried for as long as somebody may still look for it. A silent server is waited for up to a minute (outgoing/mail.ts). */
export const MAIL_OPTIONS = {
  taskQueue: QUEUES.webhook,
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '20 seconds',
  scheduleToCloseTimeout: '12 hours',
  retry: { initialInterval: '10 seconds', backoffCoefficient: 2, maximumInterval: '15 minutes' },
} as const;

/** Steps that take milliseconds, beside the workflow; they are put off like any other. */
export const QUICK_ACTIVITY_OPTIONS = {
  startToCloseTimeout: '60 seconds',
  localRetryThreshold: '30 seconds',
  retry: QUICK_RETRY,
} as const;

/** Short database work beside the workflow; it is retried until the database is back. */
export const LOCAL_ACTIVITY_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
} as const;
