/** What an API process counts of its answers to requests for output. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { OUTPUT_MODES, type OutputMode } from '../../domain/output/recommendationId.ts';

export interface OutputMetrics {
  /** @param ms from the read request to its answer */
  answered(mode: OutputMode, ms: number): void;
}

export function createOutputMetrics(registry: Registry): OutputMetrics {
  const answers = new Counter({
    name: 'attune_output_answers_total',
    help: 'Answers to requests for recommendations, by mode; fallback: selection did not answer in time',
    labelNames: ['mode'],
    registers: [registry],
  });
  // Rates of a series that begins with its first answer would miss that one.
  for (const mode of OUTPUT_MODES) answers.inc({ mode }, 0);
  const duration = new Histogram({
    name: 'attune_output_duration_seconds',
    help: 'Time that an answer took, its person, ranking and rules included',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2],
    registers: [registry],
  });
  return {
    answered(mode, ms) {
      answers.inc({ mode });
      duration.observe(ms / 1000);
    },
  };
}
