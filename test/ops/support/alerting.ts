/** Evaluates the rules of ops/alerts.yml on given series, evaluation by evaluation, as Prometheus would. */
import { parse } from 'yaml';
import { readText } from './compose.ts';
import { evaluate, secondsOf } from './promql.ts';
import type { Labels, Series } from './promqlVectors.ts';

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Rules {
  groups: { rules: AlertRule[] }[];
}

export const ALERTS: readonly AlertRule[] = (parse(readText('ops/alerts.yml')) as Rules).groups.flatMap(
  ({ rules }) => rules,
);

/** Interval of samples and of evaluations, as in ops/prometheus.yml. */
const STEP_S = 15;

/**
 * Returns a series with a sample every {@link STEP_S} seconds from 0 on.
 * @param valueAt the value at a time in seconds; null leaves a gap
 */
export function seriesOf(
  name: string,
  labels: Labels,
  seconds: number,
  valueAt: (seconds: number) => number | null,
): Series {
  const times = Array.from({ length: Math.floor(seconds / STEP_S) + 1 }, (_, index) => index * STEP_S);
  const samples = times.flatMap((time) => {
    const value = valueAt(time);
    return value === null ? [] : [[time, value] as const];
  });
  return { labels: { __name__: name, ...labels }, samples };
}

/**
 * Returns when the alert began to fire, in seconds from 0.
 * @returns null when it did not fire within `seconds`
 */
export function firesAt(name: string, series: readonly Series[], seconds: number): number | null {
  const rule = ALERTS.find(({ alert }) => alert === name);
  if (!rule) throw new Error(`there is no alert ${name}`);
  const pendingFor = rule.for === undefined ? 0 : secondsOf(rule.for);
  let since: number | null = null;
  for (let at = 0; at <= seconds; at += STEP_S) {
    const value = evaluate(rule.expr, series, at);
    const isActive = typeof value === 'number' || value.length > 0;
    since = isActive ? (since ?? at) : null;
    if (since !== null && at - since >= pendingFor) return at;
  }
  return null;
}
