/** Metrics of the tag's intake. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface CollectMetrics {
  /** By outcome: accepted, or the code with which an event was dropped. */
  events: Counter<'outcome'>;
  /** Requests per transaction. */
  groups: Histogram;
  /** Seconds per transaction, including failed ones. */
  writeSeconds: Histogram;
  waiting: Gauge;
}

const GROUPS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** @param waiting returns the number of requests that wait for their transaction */
export function createCollectMetrics(registry: Registry, waiting: () => number): CollectMetrics {
  const registers = [registry];
  return {
    waiting: new Gauge({
      name: 'attune_collect_waiting',
      help: 'Requests of /collect that wait to be stored',
      registers,
      collect() {
        this.set(waiting());
      },
    }),
    events: new Counter({
      name: 'attune_collect_events_total',
      help: 'Events of the tag by outcome: accepted, or why they were dropped',
      labelNames: ['outcome'],
      registers,
    }),
    groups: new Histogram({
      name: 'attune_collect_group_requests',
      help: 'Requests of /collect that one transaction stored',
      buckets: GROUPS,
      registers,
    }),
    writeSeconds: new Histogram({
      name: 'attune_collect_write_duration_seconds',
      help: 'Transactions that store requests of /collect',
      buckets: SECONDS,
      registers,
    }),
  };
}
