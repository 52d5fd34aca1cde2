/** What a fault is, and what it finds on the stage that it is let loose on. */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import type { MediaHost } from '../test/support/whole/mediaHost.ts';
import type { WholeStack } from '../test/support/whole/stack.ts';

/**
 * One fault, in a file of chaos/faults/. The frame (chaos/run.ts) starts the load, lets some seconds of
 * it pass, injects the fault, lets some more seconds pass, pauses the load, waits until all is quiet
 * and compares: see chaos/check/.
 */
export interface Fault {
  /** As on the command line: kebab-case. */
  name: string;
  /** What is done, for the report: one English clause. */
  title: string;
  /**
   * Injects the fault under the running load and returns once it is over: the process replaced, the
   * network back, the receiver answering. It undoes what it did even when it throws.
   * @throws when the fault could not be injected, or something that it watches went wrong
   */
  inject(stage: Stage): Promise<FaultNotes | void>;
  /** The form for CI (`--brief`): shorter, or a smaller one. `null`: the fault has no place there. Absent: `inject` itself. */
  brief?: ((stage: Stage) => Promise<FaultNotes | void>) | null;
  /** Settings that only this fault needs: it then gets a stack (and load) of its own. */
  setting?(): Promise<FaultSetting>;
  /** Why this machine cannot do it, in words for the report; null when it can. */
  cannot?(): Promise<string | null>;
}

export interface FaultSetting {
  env: Record<string, string>;
  /** The folder that the stack runs in, when it is not the checkout. */
  root?: string;
  undo(): Promise<void>;
}

/** What a fault measured, for its line of the report: `{ 'p95 of the others, ms': 31 }`. */
export type FaultNotes = Record<string, number | string>;

export interface Stage {
  stack: WholeStack;
  /** To the stack's database. It breaks when PostgreSQL does. */
  pool: pg.Pool;
  /** To the stack's Temporal. */
  temporal: Client;
  load: Load;
  receivers: Record<ReceiverName, ChaosReceiver>;
  /** Where the load's media come from: `media.serve(path, …)` to hold one back. */
  media: MediaHost;
  /** Has the load write a video that keeps a decoder busy for longer than its own, and counts as many units. @returns the way back */
  serveBusyVideo(): Promise<() => void>;
  /** kill -9 of a process of dev.json's pids; resolves when the launcher has replaced it and it works. */
  kill(name: string): Promise<void>;
  /** Waits until the launcher says that a process works again, whoever ended it: `const back = await stage.replacement('postgres'); …; await back()`. */
  replacement(name: string): Promise<() => Promise<void>>;
  /** Waits; ends early, by a throw, with `signal`. */
  wait(seconds: number): Promise<void>;
  log(line: string): void;
  /** Aborted when the run is to end. */
  signal: AbortSignal;
  brief: boolean;
}

/**
 * Three webhooks of the project. All subscribe to both events; a fault may do with `troubled` what it
 * likes, `steady` and `second` are the ones that must not notice.
 */
export type ReceiverName = 'steady' | 'second' | 'troubled';

/** How a receiver answers: with a status; never (the connection stays open); or by breaking it. */
export type ReceiverMode = { status: number } | 'hangs' | 'breaks';

export interface ChaosReceiver {
  readonly url: string;
  readonly webhookId: string;
  readonly secret: string;
  /** How requests are answered from now on; `{ status: 204 }` at first. Ending `hangs` answers those that hang. */
  mode: ReceiverMode;
  readonly requests: readonly Receipt[];
  /** Requests under way now, and the most so far. */
  readonly underWay: number;
  readonly mostUnderWay: number;
}

export interface Receipt {
  deliveryId: string;
  itemId: string;
  event: string;
  /** `item.status` of the body. */
  status: string;
  /** Milliseconds of the wall clock, at the end of the body. */
  at: number;
  /** X-Core-Timestamp, seconds. */
  timestamp: number;
  /** By the document: HMAC over the raw body, and no older (nor newer) than 300 s. */
  isGenuine: boolean;
  /** What was answered; null when nothing was. */
  answered: number | null;
  /** SHA-256 of what must not differ from attempt to attempt: event, project, delivery, item. */
  sameness: string;
}

export interface Load {
  /** The client's own log so far, by kind of outcome. */
  readonly counts: LoadCounts;
  /** Starts, or goes on after a pause, at the next write of the same sequence. */
  resume(): void;
  /** Sends nothing new and resolves when everything that was sent is answered for good. */
  pause(): Promise<void>;
  /** Resolves when so many more requests have been accepted. */
  accepted(more: number): Promise<void>;
}

export interface LoadCounts {
  /** Requests that were answered by 2xx in the end. */
  accepted: number;
  /** Tries beyond the first: of requests without an answer, and of those answered 429 or 5xx. */
  retried: number;
  /** Tries that ended without an answer: they may have counted. */
  unsure: number;
  /** Requests answered by a 4xx that no retry mends; 0 is expected. */
  refused: number;
}
