/** The interface of a fault, and of the stage on which it is injected. */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import type { MediaHost } from '../../test/support/whole/mediaHost.ts';
import type { WholeStack } from '../../test/support/whole/stack.ts';

/**
 * One fault, defined in a file of tools/chaos/faults/. The runner (runFault.ts) starts the load, waits some
 * seconds, injects the fault, waits some more seconds, pauses the load, waits until all is quiet and compares: see
 * tools/chaos/check/.
 */
export interface Fault {
  /** Name as on the command line: kebab-case. */
  name: string;
  /** Description of the fault for the report, as a full run injects it: one English clause. */
  title: string;
  /**
   * Injects the fault under the running load and returns once it is over: the process is replaced, the network is back,
   * the receiver answers. It undoes its effects even when it throws.
   * @throws when the fault could not be injected, or when one of its own checks failed
   */
  inject(stage: Stage): Promise<FaultNotes | void>;
  /**
   * The variant for CI (`--brief`): shorter or smaller. `null`: the fault is left out there. Absent: `inject` itself.
   */
  brief?: ((stage: Stage) => Promise<FaultNotes | void>) | null;
  /** Settings that only this fault needs; it then gets its own stack and load. */
  setting?(): Promise<FaultSetting>;
  /** Returns why this machine cannot inject the fault, in words for the report; null when it can. */
  cannot?(): Promise<string | null>;
}

export interface FaultSetting {
  env: Record<string, string>;
  /** The folder that the stack runs in, when it is not the checkout. */
  root?: string;
  undo(): Promise<void>;
}

/** Measurements of a fault, for its line of the report: `{ 'p95 of the others, ms': 31 }`. */
export type FaultNotes = Record<string, number | string>;

export interface Stage {
  stack: WholeStack;
  /** Connections to the stack's database. They break when PostgreSQL does. */
  pool: pg.Pool;
  /** Client of the stack's Temporal. */
  temporal: Client;
  load: Load;
  receivers: Record<ReceiverName, ChaosReceiver>;
  /** Host of the load's media; `media.serve(path, …)` can delay one of them. */
  media: MediaHost;
  /**
   * Makes the load write a video that keeps a decoder busy for longer than its usual ones, with the same number of
   * units. @returns a function that undoes it
   */
  serveBusyVideo(): Promise<() => void>;
  /**
   * Runs kill -9 on a process of dev.json's pids; resolves when the launcher has replaced it and the new one is ready.
   */
  kill(name: string): Promise<void>;
  /**
   * Waits until the launcher reports that a process is ready again, whoever ended it: `const back = await
   * stage.replacement('postgres'); …; await back()`.
   */
  replacement(name: string): Promise<() => Promise<void>>;
  /** Waits; throws early when `signal` is aborted. */
  wait(seconds: number): Promise<void>;
  log(line: string): void;
  /** Aborted when the run should end. */
  signal: AbortSignal;
  brief: boolean;
}

/**
 * Three webhooks of the project, all subscribed to the events of the analysis. A fault may do anything with `troubled`;
 * `steady` and `second` must not be affected.
 */
export type ReceiverName = 'steady' | 'second' | 'troubled';

/** How a receiver responds: with a status; not at all, with an open connection; or by breaking the connection. */
export type ReceiverMode = { status: number } | 'hangs' | 'breaks';

export interface ChaosReceiver {
  readonly url: string;
  readonly webhookId: string;
  readonly secret: string;
  /**
   * How requests are answered from now on; initially `{ status: 204 }`. Leaving `hangs` answers the pending requests.
   */
  mode: ReceiverMode;
  readonly requests: readonly Receipt[];
  /** Number of requests in progress, and the maximum so far. */
  readonly inFlight: number;
  readonly maxInFlight: number;
}

export interface Receipt {
  deliveryId: string;
  itemId: string;
  event: string;
  /** `item.status` of the body. */
  status: string;
  /** Wall-clock milliseconds at the end of the body. */
  at: number;
  /** Header X-Core-Timestamp, in seconds. */
  timestamp: number;
  /** True for a valid signature as the document defines it: HMAC over the raw body, with a timestamp within 300 s. */
  isGenuine: boolean;
  /** Status of the response; null when there was none. */
  answered: number | null;
  /** SHA-256 of the fields that must not differ between attempts: event, project, delivery, item. */
  contentHash: string;
}

export interface Load {
  /** Counts of the client's own log so far, by outcome. */
  readonly counts: LoadCounts;
  /** Starts, or continues after a pause with the next write of the same sequence. */
  resume(): void;
  /** Stops sending and resolves when every request has its final response. */
  pause(): Promise<void>;
  /** Resolves when this many more requests have been accepted. */
  accepted(more: number): Promise<void>;
}

export interface LoadCounts {
  /** Requests that were finally answered with 2xx. */
  accepted: number;
  /** Retries: of requests without a response, and of those answered with 429 or 5xx. */
  retried: number;
  /** Attempts that ended without a response: they may have taken effect. */
  unsure: number;
  /** Requests answered with a 4xx that no retry can fix; 0 is expected. */
  refused: number;
}
