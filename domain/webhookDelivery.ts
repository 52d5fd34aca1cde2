/** The life of a delivery: what its lanes, its workflow and its journal agree on. */
import type { DeliveryContent } from './webhook.ts';

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
 * Who makes the next attempt: the webhook worker in its turn (`first`) or at once because a person
 * asked (`urgent`), or the delivery's workflow (`retry`).
 */
export type Lane = 'first' | 'urgent' | 'retry';

/**
 * Why a delivery is not sent: the project is not active, the webhook disabled, the item deleted, too
 * much is undelivered, or the signing secret cannot be decrypted. The journal says it in the words
 * of webhookPhrases.ts.
 */
export type Obstacle = 'project' | 'webhook' | 'item' | 'backlog' | 'secret';

/** No claim of a delivery holds for longer, whoever makes the attempt. */
export const LONGEST_LEASE_MS = 50_000;

/** A claimed delivery with everything that its next attempt needs. */
export interface ClaimedDelivery extends DeliveryContent {
  webhookId: string;
  lane: Lane;
  /** Number of the attempt to be made, from 1. */
  attempt: number;
  /** Attempts made before its schedule began, 0 unless it was recovered (domain/webhookRecovery.ts). */
  scheduleStart: number;
  url: string;
  /** As stored: encrypted (domain/secretKeys.ts). */
  secret: Buffer;
  /** Set when the delivery must not be sent. */
  obstacle: Obstacle | null;
  /** Until when the claim holds, as the database writes it. Whoever claims later has another one. */
  lease: string;
}

/** What came of one request; no error code means a 2xx. */
export interface AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  responseStatus: number | null;
  errorCode: DeliveryErrorCode | null;
  /** A fixed phrase, never anything that the address answered. */
  error: string | null;
}

/** The input of the workflow `delivery`. */
export interface DeliveryInput {
  projectId: string;
  deliveryId: string;
  attemptsMade: number;
  /** Milliseconds until the next attempt, by the database's clock when the relay handed it over. */
  waitMs: number;
  /** Attempts made before this schedule began; left out when there were none. */
  scheduleStart?: number;
  /** Temporal lets the wait pass before it runs the workflow at all: it counts from the start. */
  startDelayed?: true;
  /** It closes as failed when the delivery failed, and its search attributes tell the outcome. Workflows from before this do not. */
  tellsOutcome?: true;
}

/** Tells a workflow that still waits, by somebody else's attempt, where its delivery is by now. */
export const DELIVERY_MOVED_SIGNAL = 'deliveryMoved';
export interface DeliveryMoved extends Pick<DeliveryInput, 'attemptsMade' | 'waitMs' | 'scheduleStart'> {
  /** When the next attempt is due: epoch milliseconds by the database's clock. `waitMs` is as of the hand-over. */
  dueAt?: number;
}

/** The input of one attempt of the retry lane. */
export interface RetryInput {
  projectId: string;
  deliveryId: string;
  /** Number of the attempt to be made; one that is already in the journal is not made again. */
  attempt: number;
}

/** Why the last attempt of a delivery failed. */
export interface LastFailure {
  errorCode: DeliveryErrorCode;
  responseStatus: number | null;
}

/** What the workflow learns from an attempt. */
export type RetryReport =
  /** Nothing is left to do. `gone`: the delivery was deleted with its webhook. */
  | ({
      state: 'settled';
      status: Exclude<DeliveryStatus, 'pending'> | 'gone';
      attemptsMade: number;
    } & Partial<LastFailure>)
  /** This attempt failed; the next one is due in `retryInMs`. */
  | ({ state: 'failed'; attemptsMade: number; retryInMs?: number } & LastFailure)
  /** Somebody else made the attempt (a resend); the next is due in `waitMs`. */
  | { state: 'superseded'; attemptsMade: number; waitMs: number; scheduleStart?: number }
  /**
   * The webhook has its most attempts in hand, or this delivery is being attempted: ask again. With
   * `waitMs` it is only not due yet: ask then.
   */
  | { state: 'busy'; waitMs?: number };

/** How the workflow ended. */
export interface DeliveryResult {
  status: Exclude<DeliveryStatus, 'pending'> | 'gone';
  attemptsMade: number;
}
