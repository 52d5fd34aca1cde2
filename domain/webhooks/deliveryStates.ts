/** The life of a delivery: the definitions that its lanes, its workflow and its journal share. */
import type { DeliveryContent, WebhookEvent } from './webhookRequest.ts';

/** The documented codes of the journal. */
export const DELIVERY_ERROR_CODES = [
  'timeout',
  'connection',
  'tls',
  'dns',
  'http_status',
  'redirect',
  'forbidden_address',
] as const;
export type DeliveryErrorCode = (typeof DELIVERY_ERROR_CODES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * The process that makes the next attempt: the webhook worker in its turn (`first`) or at once because a person
 * requested it (`urgent`), or the delivery's workflow (`retry`).
 */
export type Lane = 'first' | 'urgent' | 'retry';

/**
 * Why a delivery is not sent: the project is not active, the webhook disabled, the item deleted, too much is
 * undelivered, or the signing secret cannot be decrypted. domain/webhooks/journalPhrases.ts has the texts of the
 * journal.
 */
export const OBSTACLES = ['project', 'webhook', 'item', 'backlog', 'secret'] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/**
 * Says for each event whether its deliveries are dropped once the item has been deleted, and left out of resends and
 * recoveries. The item of a test does not exist, so a deleted item with its id has nothing to do with the test.
 */
export const IS_DROPPED_WITH_ITEM: Record<WebhookEvent, boolean> = {
  'item.processed': true,
  'item.failed': true,
  'webhook.test': false,
};

/** A claimed delivery with everything that its next attempt needs. */
export interface ClaimedDelivery extends DeliveryContent {
  webhookId: string;
  lane: Lane;
  /** Number of the attempt to be made, from 1. */
  attempt: number;
  /** Number of attempts made before its schedule began; 0 unless it was recovered (domain/webhooks/recovery.ts). */
  scheduleStart: number;
  url: string;
  /** As stored: encrypted (domain/accounts/secretKeys.ts). */
  secret: Buffer;
  /** Set when the delivery must not be sent. */
  obstacle: Obstacle | null;
  /** The expiry of the claim, as the database writes it. A later claim has another one. */
  lease: string;
}

/** The outcome of one request; no error code means a 2xx. */
export interface AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  responseStatus: number | null;
  errorCode: DeliveryErrorCode | null;
  /** A fixed phrase, never anything from the response. */
  error: string | null;
}

/** The input of the workflow `delivery`. */
export interface DeliveryInput {
  projectId: string;
  deliveryId: string;
  attemptsMade: number;
  /** Milliseconds until the next attempt, by the database's clock when the relay handed it over. */
  waitMs: number;
  /** Number of attempts made before this schedule began; left out when there were none. */
  scheduleStart?: number;
  /**
   * If true, Temporal delays the first task of the workflow by `waitMs`, so the wait counts from the workflow's
   * start time.
   */
  startDelayed?: true;
  /**
   * If true, the workflow closes as failed when the delivery failed, and its search attributes show the outcome.
   * Workflows that began before this flag existed do neither.
   */
  tellsOutcome?: true;
}

/**
 * Tells the current state of a delivery to its workflow, if that is still waiting, after an attempt that the workflow
 * did not make.
 */
export const DELIVERY_MOVED_SIGNAL = 'deliveryMoved';
export interface DeliveryMoved extends Pick<DeliveryInput, 'attemptsMade' | 'waitMs' | 'scheduleStart'> {
  /** When the next attempt is due: epoch milliseconds by the database's clock. `waitMs` refers to the hand-over. */
  dueAt?: number;
}

/** The input of one attempt of the retry lane. */
export interface RetryInput {
  projectId: string;
  deliveryId: string;
  /** Number of the attempt to be made; one that is already in the journal is not repeated. */
  attempt: number;
}

/** Why the last attempt of a delivery failed. */
export interface LastFailure {
  errorCode: DeliveryErrorCode;
  responseStatus: number | null;
}

/** The report of an attempt to the workflow. */
export type RetryReport =
  /** Nothing is left to do. `gone`: the delivery was deleted with its webhook. */
  | ({
      state: 'settled';
      status: Exclude<DeliveryStatus, 'pending'> | 'gone';
      attemptsMade: number;
    } & Partial<LastFailure>)
  /** This attempt failed; the next one is due in `retryInMs`. */
  | ({ state: 'failed'; attemptsMade: number; retryInMs?: number } & LastFailure)
  /** Somebody else made the attempt (a resend); the next one is due in `waitMs`. */
  | { state: 'superseded'; attemptsMade: number; waitMs: number; scheduleStart?: number }
  /**
   * The webhook has its maximum number of attempts in progress, or this delivery is being attempted: try again. With
   * `waitMs` the attempt is merely not due yet: try again then.
   */
  | { state: 'busy'; waitMs?: number };

/** How the workflow ended. */
export interface DeliveryResult {
  status: Exclude<DeliveryStatus, 'pending'> | 'gone';
  attemptsMade: number;
}
