/** Metrics of a selection process. */
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { HeldSizes } from './upkeep/heldSizes.ts';

/** The outcomes of questions. */
export const RANK_OUTCOMES = [
  'ranked',
  // The catalogue is being loaded.
  'loading',
  // The catalogue does not fit into the memory.
  'too_large',
  // More has changed than can be read for one question.
  'behind',
  // Too many questions were waiting.
  'busy',
  // The deadline passed before the question's turn.
  'late',
  // The caller disconnected before the question's turn.
  'gone',
  // The request was not a valid question.
  'refused',
] as const;
export type RankOutcome = (typeof RANK_OUTCOMES)[number];

/**
 * @param sizes reads what is held in memory
 * @returns a function to call with each outcome and its duration in milliseconds
 */
export function createSelectionMetrics(
  registry: Registry,
  sizes: () => HeldSizes,
): (outcome: RankOutcome, ms: number) => void {
  const duration = new Histogram({
    name: 'attune_selection_duration_seconds',
    help: 'Time from reading a question to answering it, by outcome',
    labelNames: ['outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1],
    registers: [registry],
  });
  for (const outcome of RANK_OUTCOMES) duration.zero({ outcome });
  registerGauge(registry, 'attune_selection_projects', 'Catalogues held in memory', () => sizes().projects);
  registerGauge(registry, 'attune_selection_items', 'Items of all catalogues held in memory', () => sizes().items);
  registerGauge(registry, 'attune_selection_bytes', 'Estimated size of all catalogues held', () => sizes().bytes);
  const help = 'Longest time since a catalogue in use had taken in all changes';
  registerGauge(registry, 'attune_selection_behind_seconds', help, () => sizes().behindMs / 1000);
  return (outcome, ms) => duration.observe({ outcome }, ms / 1000);
}

function registerGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
}
