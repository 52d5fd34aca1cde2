/** What a selection process tells of itself. */
import { Gauge, Histogram, type Registry } from 'prom-client';

/** How a question was answered; `loading`: its catalogue is being read, `refused`: it was none. */
export type RankOutcome = 'ranked' | 'loading' | 'refused';

/**
 * @param sizes what is held in memory
 * @returns told of each answer and the milliseconds that it took
 */
export function createSelectionMetrics(
  registry: Registry,
  sizes: () => { projects: number; items: number },
): (outcome: RankOutcome, ms: number) => void {
  const duration = new Histogram({
    name: 'attune_selection_duration_seconds',
    help: 'Time that a ranking took, by outcome',
    labelNames: ['outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1],
    registers: [registry],
  });
  registerGauge(registry, 'attune_selection_projects', 'Catalogues held in memory', () => sizes().projects);
  registerGauge(registry, 'attune_selection_items', 'Items of all catalogues held in memory', () => sizes().items);
  return (outcome, ms) => duration.observe({ outcome }, ms / 1000);
}

function registerGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
}
