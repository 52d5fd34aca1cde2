/** Metrics of an API process about its answers to output requests. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { OUTPUT_MODES, type OutputMode } from '../../domain/output/recommendationId.ts';
import { PATH_NAMES, type PathName } from './request/pathsAndDefaults.ts';

export interface OutputMetrics {
  /** @param ms from the parsed request to its answer */
  answered(path: PathName, mode: OutputMode, ms: number): void;
}

export function createOutputMetrics(registry: Registry): OutputMetrics {
  const answers = new Counter({
    name: 'attune_output_answers_total',
    help: 'Answers to requests for recommendations, by path and mode; fallback: selection did not answer in time',
    labelNames: ['path', 'mode'],
    registers: [registry],
  });
  // A rate over a series that starts with its first answer would miss that answer.
  for (const path of PATH_NAMES) for (const mode of OUTPUT_MODES) answers.inc({ path, mode }, 0);
  const duration = new Histogram({
    name: 'attune_output_duration_seconds',
    help: 'Time that an answer took, including person, ranking and rules',
    labelNames: ['path'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2],
    registers: [registry],
  });
  return {
    answered(path, mode, ms) {
      answers.inc({ path, mode });
      duration.observe({ path }, ms / 1000);
    },
  };
}
