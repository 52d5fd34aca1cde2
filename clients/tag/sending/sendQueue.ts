/**
 * Sends events: one request at a time, about a second after the first event or as soon as there are ten. After a
 * network error, 408, 429 or 5xx the events are stored and retried with exponential backoff; after any other 4xx they
 * are dropped, because the same request would be refused again.
 */
import { BATCH_DELAY_MS, DUE_EVENTS, pickBatch, type Entry } from './batch.ts';
import type { TagEvent } from '../data/event.ts';
import { LEASE_MS, MAX_REQUESTED_PAUSE_MS, type Store } from './unsentEvents.ts';

/**
 * Minimum time between two requests, with which a visitor stays below the limit of the server (REQUESTS_LIMIT in
 * domain/visits/robotFrequency.ts, across all tabs).
 */
const SPACING_MS = 250;
const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 600_000;

/** Status 0 means that there was no response. */
export interface Answer {
  status: number;
  /** Seconds from the header Retry-After. */
  retryAfter: number | null;
  body: unknown;
}

export interface SendQueuePorts {
  store: Store;
  visitorId(): string;
  /** Returns the request body around the events, as text. */
  envelope(visitorId: string, events: readonly TagEvent[]): string;
  post(body: string): Promise<Answer>;
  /** Sends from a page that is being left; returns true when the browser has accepted the body. */
  beacon(body: string): boolean;
  /** Browsers report "offline" on networks that work, so a page that stays open tries to send anyway. */
  isOnline(): boolean;
  later(work: () => void, ms: number): unknown;
  cancel(timer: unknown): void;
  now(): number;
  /** 0 to 1. */
  random(): number;
  /** Called before a batch is built. */
  beforeSend(): void;
  onAccepted(body: unknown): void;
}

export interface SendQueue {
  add(event: TagEvent): void;
  /** Sends the waiting and stored events, unless the server has requested a pause. */
  flush(): void;
  /** Handles a page that is being left, perhaps for good: hands over or stores the waiting events. */
  leave(isFinal: boolean): void;
  /** Retries after the network is back. */
  retry(): void;
}

export function createSendQueue(ports: SendQueuePorts): SendQueue {
  return new BrowserSendQueue(ports);
}

class BrowserSendQueue implements SendQueue {
  readonly #ports: SendQueuePorts;
  #waiting: Entry[] = [];
  #inFlight: Entry[] = [];
  #timer: { handle: unknown; due: number } | null = null;
  #failures = 0;
  /** Backoff after failures without a response; pauses that the server requests are in the store, for all pages. */
  #pausedUntil = 0;
  /** Length of that pause: a longer rest is due to a clock that was set back. */
  #pauseMs = 0;

  constructor(ports: SendQueuePorts) {
    this.#ports = ports;
  }

  add(event: TagEvent): void {
    this.#waiting.push({ v: this.#ports.visitorId(), e: event });
    this.#schedule(this.#waiting.length < DUE_EVENTS ? BATCH_DELAY_MS : SPACING_MS);
  }

  flush(): void {
    this.#unschedule();
    if (this.#inFlight.length > 0) return; // its response continues with the rest
    const { store, now, beforeSend } = this.#ports;
    beforeSend();
    const rest = this.#pausedUntil - now();
    const pause = Math.max(store.pausedUntil(now()) - now(), rest > this.#pauseMs ? 0 : rest);
    if (pause > 0) {
      this.#storeWaiting();
      this.#schedule(pause);
      return;
    }
    this.#inFlight = this.#pick();
    if (this.#inFlight.length > 0) void this.#send(this.#inFlight);
    else this.#scheduleNext();
  }

  leave(isFinal: boolean): void {
    const { store, now, isOnline, beforeSend, beacon } = this.#ports;
    beforeSend();
    // It is no longer known whether the current request arrives; an event that is sent twice is counted once.
    if (isFinal) store.put(this.#inFlight);
    const isHealthy = this.#failures === 0 && store.pausedUntil(now()) === 0 && isOnline();
    while (isHealthy && this.#waiting.length > 0) {
      const { events, rest } = pickBatch(this.#waiting, now());
      if (events.length > 0 && !beacon(this.#body(events))) break;
      this.#waiting = rest;
    }
    this.#storeWaiting();
  }

  retry(): void {
    this.#pausedUntil = 0;
    this.flush();
  }

  /** Picks the next batch. Stored events go first, and stay stored under a lease. */
  #pick(): Entry[] {
    const { store, now } = this.#ports;
    const stored = new Set(store.free(now()));
    const { events, rest, dropped } = pickBatch([...stored, ...this.#waiting], now());
    this.#waiting = rest.filter((entry) => !stored.has(entry));
    if (dropped.length > 0) store.remove(dropped);
    store.put(
      events.filter((entry) => stored.has(entry)),
      now() + LEASE_MS,
    );
    return events;
  }

  async #send(entries: Entry[]): Promise<void> {
    const answer = await this.#ports
      .post(this.#body(entries))
      .catch((): Answer => ({ status: 0, retryAfter: null, body: null }));
    this.#inFlight = [];
    if (mayBeRetried(answer.status)) this.#failed(entries, answer.retryAfter);
    else this.#answered(entries, answer);
  }

  #failed(entries: Entry[], retryAfter: number | null): void {
    const { store, now, random } = this.#ports;
    const grown = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS) * (0.75 + random() / 2);
    const pause = Math.max(grown, Math.min((retryAfter ?? 0) * 1000, MAX_REQUESTED_PAUSE_MS));
    this.#failures += 1;
    store.put(entries);
    this.#storeWaiting();
    if (retryAfter === null) [this.#pausedUntil, this.#pauseMs] = [now() + pause, pause];
    else store.pauseUntil(now() + pause);
    this.#schedule(pause);
  }

  #answered(entries: Entry[], { status, body }: Answer): void {
    this.#failures = 0;
    this.#ports.store.remove(entries);
    this.#scheduleNext();
    if (status === 202) this.#ports.onAccepted(body);
  }

  /** Schedules a flush for events that wait here, and for stored ones, including those of a page that has died. */
  #scheduleNext(): void {
    const { store, now } = this.#ports;
    const due = store.dueAt(now());
    if (due !== null) this.#schedule(Math.max(due - now(), SPACING_MS));
    if (this.#waiting.length > 0) this.#schedule(this.#waiting.length < DUE_EVENTS ? BATCH_DELAY_MS : SPACING_MS);
  }

  #body(entries: readonly Entry[]): string {
    return this.#ports.envelope(
      entries[0]?.v ?? '',
      entries.map(({ e }) => e),
    );
  }

  #storeWaiting(): void {
    this.#ports.store.put(this.#waiting);
    this.#waiting = [];
  }

  /** Schedules a flush; the earlier of two times wins. */
  #schedule(ms: number): void {
    const due = this.#ports.now() + ms;
    if (this.#timer !== null && this.#timer.due <= due) return;
    this.#unschedule();
    const run = (): void => {
      this.#timer = null;
      this.flush();
    };
    this.#timer = { handle: this.#ports.later(run, ms), due };
  }

  #unschedule(): void {
    if (this.#timer !== null) this.#ports.cancel(this.#timer.handle);
    this.#timer = null;
  }
}

/** Pages may have replaced the methods of arrays, so it uses none. */
function mayBeRetried(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}
