/** Group commit: requests that arrive while a transaction runs are stored together by the next one. */
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { storeCollected, type CollectedRequest, type Repeats } from '../../db/collect/storeCollected.ts';
import { isConflict, isDatabaseUnavailable } from '../../db/errors.ts';
import { Batcher } from '../../platform/process/concurrency/batcher.ts';
import { unavailable } from '../http/errors.ts';
import { createCollectMetrics, type CollectMetrics } from './metrics.ts';
import { createRooms, reserveRoom, WAITING_LIMITS } from './waitingRequests.ts';

/** Maximum number of requests per transaction: even with 50 events each it takes a fraction of a second. */
const GROUP_REQUESTS = 256;
export interface CollectWriter {
  /**
   * Resolves once the request is durable.
   * @param bytes size of its body
   * @returns the indexes of the events that were known
   * @throws {HttpError} 503 when too many requests of its site or address are waiting
   * @throws the error of PostgreSQL; then no part of the request is stored, or its fate is unknown
   */
  write(request: CollectedRequest, bytes: number): Promise<Repeats>;
  metrics: CollectMetrics;
}

export interface CollectWriterOptions {
  pool: pg.Pool;
  registry: Registry;
  /** How long the ids of events are remembered. */
  rememberHours: number;
  limits?: typeof WAITING_LIMITS;
}

interface Entry {
  request: CollectedRequest;
  /** Time of arrival on a monotonic clock, in milliseconds. */
  arrivedAt: number;
}

/** Errors are values, since one request's failure is not that of its group. */
type Outcome = Repeats | Error;

export function createCollectWriter({
  pool,
  registry,
  rememberHours,
  limits = WAITING_LIMITS,
}: CollectWriterOptions): CollectWriter {
  const rooms = createRooms(limits);
  const metrics = createCollectMetrics(registry, () => rooms.requests.taken);
  const group = new GroupCommit((requests) => storeCollected(pool, requests, rememberHours), metrics);
  const batcher = new Batcher<Entry, Outcome>(
    GROUP_REQUESTS,
    (entries) => group.run(entries),
    ({ request }) => request.siteId,
  );
  return {
    metrics,
    async write(request, bytes) {
      const leave = reserveRoom(rooms, request, bytes);
      if (leave === null) throw unavailable();
      try {
        const outcome = await batcher.add({ request, arrivedAt: performance.now() });
        if (outcome instanceof Error) throw outcome;
        return outcome;
      } finally {
        leave();
      }
    },
  };
}

type Store = (requests: readonly CollectedRequest[]) => Promise<Repeats[]>;

/** Stores the requests of one group. */
class GroupCommit {
  readonly #store: Store;
  readonly #metrics: CollectMetrics;
  /** Time and error of the last failed connection to PostgreSQL. */
  #outage: { at: number; error: Error } | null = null;

  constructor(store: Store, metrics: CollectMetrics) {
    this.#store = store;
    this.#metrics = metrics;
  }

  /** Requests that arrived before PostgreSQL was found unavailable have waited long enough: they share the error. */
  async run(entries: readonly Entry[]): Promise<Outcome[]> {
    const outage = this.#outage;
    if (outage === null) return this.#outcomesOf(entries.map(({ request }) => request));
    const isLate = ({ arrivedAt }: Entry): boolean => arrivedAt <= outage.at;
    const stored = await this.#outcomesOf(entries.filter((entry) => !isLate(entry)).map(({ request }) => request));
    let next = 0;
    return entries.map((entry) => (isLate(entry) ? outage.error : stored[next++]) ?? outage.error);
  }

  /** Stores a group; one that PostgreSQL refuses is bisected until the failing request is isolated. */
  async #outcomesOf(requests: readonly CollectedRequest[]): Promise<Outcome[]> {
    if (requests.length === 0) return [];
    const end = this.#metrics.writeSeconds.startTimer();
    this.#metrics.groups.observe(requests.length);
    try {
      const repeats = await this.#store(requests);
      this.#outage = null;
      return repeats;
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(String(caught));
      const isUnavailable = isDatabaseUnavailable(error) && !isConflict(error);
      if (isUnavailable) this.#outage = { at: performance.now(), error };
      if (requests.length === 1 || isUnavailable) return requests.map(() => error);
    } finally {
      end();
    }
    const half = Math.ceil(requests.length / 2);
    return [...(await this.#outcomesOf(requests.slice(0, half))), ...(await this.#outcomesOf(requests.slice(half)))];
  }
}
