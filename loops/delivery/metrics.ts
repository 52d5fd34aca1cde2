/** Metrics of the webhook worker. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Obstacle } from '../../domain/webhooks/deliveryStates.ts';

export interface WebhookMetrics {
  /** By lane and outcome: `delivered`, or the journal's error code. */
  readonly attempts: Counter<'lane' | 'outcome'>;
  /** Seconds from the start of an attempt to the end of the response. */
  readonly duration: Histogram<'lane'>;
  /** Deliveries per claim, without empty claims. */
  readonly claimSize: Histogram;
  /** Requests in progress. */
  readonly inFlight: Gauge;
  /** Settlements written per statement. */
  readonly writeSize: Histogram;
  /** Number of times that first attempts of a webhook were held back, or held back longer. */
  readonly held: Counter;
  /** Claimed deliveries that were not sent, by obstacle. */
  readonly dropped: Counter<'obstacle'>;
}

const OBSTACLES_OF_CLAIMS: readonly Obstacle[] = ['project', 'webhook', 'item', 'secret'];
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ROWS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** @param slotsNow returns how many concurrent requests to one webhook this worker may make now */
export function createWebhookMetrics(registry: Registry, slotsNow: () => number = () => 0): WebhookMetrics {
  const registers = [registry];
  registerSlots(registers, slotsNow);
  const metrics = {
    attempts: new Counter({
      name: 'attune_webhook_attempts_total',
      help: 'Webhook attempts made',
      labelNames: ['lane', 'outcome'],
      registers,
    }),
    duration: new Histogram({
      name: 'attune_webhook_attempt_seconds',
      help: 'Time of one attempt',
      labelNames: ['lane'],
      buckets: SECONDS,
      registers,
    }),
    claimSize: new Histogram({
      name: 'attune_webhook_claim_rows',
      help: 'Deliveries per claim',
      buckets: ROWS,
      registers,
    }),
    inFlight: new Gauge({ name: 'attune_webhook_requests_in_flight', help: 'Webhook requests under way', registers }),
    writeSize: new Histogram({
      name: 'attune_webhook_write_rows',
      help: 'Outcomes per statement',
      buckets: ROWS,
      registers,
    }),
    held: new Counter({
      name: 'attune_webhook_holds_total',
      help: 'Holds of first attempts by the breaker',
      registers,
    }),
    dropped: new Counter({
      name: 'attune_webhook_dropped_total',
      help: 'Deliveries that were not sent, by reason',
      labelNames: ['obstacle'],
      registers,
    }),
  } satisfies WebhookMetrics;
  // Every series exists from the start, so that the first drop is visible as an increase.
  for (const obstacle of OBSTACLES_OF_CLAIMS) metrics.dropped.inc({ obstacle }, 0);
  return metrics;
}

function registerSlots(registers: Registry[], slotsNow: () => number): void {
  const gauge: Gauge = new Gauge({
    name: 'attune_webhook_slots',
    help: 'Concurrent requests that this worker may make to one webhook',
    registers,
    collect: () => gauge.set(slotsNow()),
  });
}
