/** Time limits and retries of Temporal's activities. */
import { QUEUES } from './queues.ts';

/** Quick retries before a step is deferred: after 2, 6 and 18 seconds. */
const QUICK_RETRY = { initialInterval: '2 seconds', backoffCoefficient: 3, maximumAttempts: 4 } as const;

/**
 * The options of each queue's activities. This is the only place to tune them. Activities send a heartbeat every few
 * seconds, so a lost worker is noticed within the heartbeat timeout; the long limits only end an activity that sends
 * heartbeats but never finishes.
 */
export const ACTIVITY_OPTIONS = {
  /**
   * Enough for the longest accepted medium: download (15 min), the wait for a decoder behind three such media, decoding
   * (a quarter of 4 h).
   */
  media: {
    taskQueue: QUEUES.media,
    startToCloseTimeout: '5 hours',
    heartbeatTimeout: '20 seconds',
    retry: QUICK_RETRY,
  },
  ai: { taskQueue: QUEUES.ai, startToCloseTimeout: '60 minutes', heartbeatTimeout: '20 seconds', retry: QUICK_RETRY },
  /** One chunk of a job. It is retried until it succeeds, because accepted work is not given up. */
  data: {
    taskQueue: QUEUES.data,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
  /**
   * Upkeep of the lake: a merge of large files takes minutes; a wait for staged rows lasts until the ingest is up
   * again.
   */
  analytics: {
    taskQueue: QUEUES.analytics,
    startToCloseTimeout: '2 hours',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
  },
  /**
   * A report takes at most a minute, and its file a few seconds; an export that keeps failing ends itself
   * (domain/reports/exports.ts EXPORT_ATTEMPTS).
   */
  exports: {
    taskQueue: QUEUES.exports,
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
  /**
   * Reading a project's events, or solving a few thousand columns; the search for the settings takes longest. A
   * training that keeps failing ends itself (activities/training/faultsAndOutages.ts).
   */
  training: {
    taskQueue: QUEUES.training,
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
  /**
   * Covers the claim, the request's 10 s, and the 30 s of waiting for an unavailable database; there is no retry behind
   * the workflow's back.
   */
  webhook: { taskQueue: QUEUES.webhook, startToCloseTimeout: '60 seconds', retry: { maximumAttempts: 1 } },
} as const;

/**
 * A mail of the queue `webhook`, retried for as long as somebody may still expect it. With a server that does not
 * answer, an attempt takes up to a minute (platform/outgoing/mail.ts).
 */
export const MAIL_OPTIONS = {
  taskQueue: QUEUES.webhook,
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '20 seconds',
  scheduleToCloseTimeout: '12 hours',
  retry: { initialInterval: '10 seconds', backoffCoefficient: 2, maximumInterval: '15 minutes' },
} as const;

/** Steps that take milliseconds and run as local activities; they are deferred like any other. */
export const QUICK_ACTIVITY_OPTIONS = {
  startToCloseTimeout: '60 seconds',
  localRetryThreshold: '30 seconds',
  retry: QUICK_RETRY,
} as const;

/** Short database work as local activities; it is retried until the database is back. */
export const LOCAL_ACTIVITY_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
} as const;

/**
 * The plan of an item together with the analysis of a short text, as a local activity. It is retried like database
 * work; a step that fails is left to its own activity. The first text waits for the models to be loaded.
 */
export const AT_ONCE_ACTIVITY_OPTIONS = { ...LOCAL_ACTIVITY_OPTIONS, startToCloseTimeout: '60 seconds' } as const;
