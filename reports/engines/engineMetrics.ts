/** Prometheus metrics of the engines. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ReportTurns } from './reportTurns.ts';

export type Outcome =
  | 'whole'
  | 'sampled'
  | 'timeout'
  | 'busy'
  | 'unavailable'
  | 'pattern'
  | 'too_large'
  | 'failed'
  | 'gone';

export interface EngineMetrics {
  /** Duration, including the wait. */
  seconds: Histogram<'outcome'>;
  deaths: Counter;
}

export function createEngineMetrics(
  registry: Registry,
  turns: Pick<ReportTurns, 'running' | 'waiting'>,
): EngineMetrics {
  const gauge = (name: string, help: string, value: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('attune_reports_running', 'Reports that engines of this process are running', () => turns.running);
  gauge('attune_reports_waiting', 'Reports that are waiting for an engine of this process', () => turns.waiting);
  return {
    seconds: new Histogram({
      name: 'attune_report_seconds',
      help: 'Time from a report’s request to its end, waiting included, by outcome',
      labelNames: ['outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
      registers: [registry],
    }),
    deaths: new Counter({
      name: 'attune_report_engine_deaths_total',
      help: 'Report engine processes that ended unexpectedly, or were killed because they did not stop',
      registers: [registry],
    }),
  };
}
