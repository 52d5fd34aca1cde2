/** Counts and durations of requests by route template: raw paths would create a series per item. */
import { Gauge, Histogram, type Registry } from 'prom-client';

export interface FinishedRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

export interface RequestMetrics {
  /** Counts a request as in flight until the returned function is called. */
  start(): (finished: FinishedRequest) => void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Node accepts some forty methods; those that no route has share one label. */
const METHODS = new Set(['GET', 'PUT', 'PATCH', 'POST', 'DELETE']);

export function createRequestMetrics(registry: Registry): RequestMetrics {
  const duration = new Histogram({
    name: 'attune_http_request_duration_seconds',
    help: 'Requests by method, route template and status; the count is that of the requests',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'attune_http_requests_in_flight',
    help: 'Requests being answered',
    registers: [registry],
  });
  return {
    start() {
      inFlight.inc();
      return ({ method, route, status, seconds }) => {
        inFlight.dec();
        duration.observe({ method: METHODS.has(method) ? method : 'other', route, status: String(status) }, seconds);
      };
    },
  };
}
