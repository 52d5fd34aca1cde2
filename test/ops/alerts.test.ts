/** The alerts fire when they should, and only then: the rules of ops/alerts.yml are evaluated on synthetic series. */
import { describe, expect, it } from '@jest/globals';
import { ALERTS, firesAt, seriesOf } from './support/alerting.ts';
import { evaluate } from './support/promql.ts';

const HOUR = 3_600;
const WORKFLOW = { job: 'attune', instance: 'worker-workflow:9464', service: 'workflow' };

describe('every alert', () => {
  it.each(ALERTS.map(({ alert, expr }) => [alert, expr]))('is a rule that can be evaluated: %s', (_alert, expr) => {
    expect(() => evaluate(expr, [], HOUR)).not.toThrow();
  });
});

describe('AttuneWorkflowStuck', () => {
  const failures = (reason: string, valueAt: (seconds: number) => number) =>
    seriesOf(
      'temporal_workflow_task_execution_failed',
      { ...WORKFLOW, failure_reason: reason, workflow_type: 'item' },
      HOUR,
      valueAt,
    );

  it('fires when a workflow task fails because the code does not fit the history', () => {
    const once = failures('NonDeterminismError', (seconds) => (seconds >= 600 ? 1 : 0));
    expect(firesAt('AttuneWorkflowStuck', [once], HOUR)).toBe(600);
  });

  it('fires when the series begins with its first failure, as a counter of the SDK does', () => {
    const series = seriesOf(
      'temporal_workflow_task_execution_failed',
      { ...WORKFLOW, failure_reason: 'NonDeterminismError' },
      HOUR,
      (seconds) => (seconds >= 600 ? 1 : null),
    );
    expect(firesAt('AttuneWorkflowStuck', [series], HOUR)).toBe(600);
  });

  it('keeps firing while failures are ten minutes apart, and ends within an hour of the last', () => {
    const rule = ALERTS.find(({ alert }) => alert === 'AttuneWorkflowStuck')?.expr ?? '';
    const retried = failures('NonDeterminismError', (seconds) => (seconds < 60 ? 0 : 1 + Math.floor(seconds / 600)));
    expect(evaluate(rule, [retried], 1_199)).toHaveLength(1);
    const over = failures('NonDeterminismError', (seconds) => (seconds < 60 ? 0 : 1));
    expect(evaluate(rule, [over], HOUR)).toEqual([]);
  });

  it('is silent about failures of other kinds and without failures', () => {
    expect(firesAt('AttuneWorkflowStuck', [failures('NonDeterminismError', () => 0)], HOUR)).toBeNull();
    expect(firesAt('AttuneWorkflowStuck', [failures('WorkflowError', (s) => s)], HOUR)).toBeNull();
  });
});

describe('AttuneRecommendationsFallBack', () => {
  const answers = (mode: string, perSecond: number) =>
    seriesOf('attune_output_answers_total', { service: 'api', mode }, HOUR, (seconds) => seconds * perSecond);

  it('fires when one answer in ten is a fallback', () => {
    const series = [answers('fallback', 1), answers('contextual', 9)];
    expect(firesAt('AttuneRecommendationsFallBack', series, HOUR)).not.toBeNull();
  });

  it('is silent about one fallback in a hundred answers, and without requests', () => {
    expect(
      firesAt('AttuneRecommendationsFallBack', [answers('fallback', 1), answers('personal', 99)], HOUR),
    ).toBeNull();
    expect(firesAt('AttuneRecommendationsFallBack', [answers('fallback', 0), answers('personal', 0)], HOUR)).toBeNull();
  });
});

describe('AttuneRecommendationsOftenFallBack', () => {
  const answers = (mode: string, perSecond: number) =>
    seriesOf('attune_output_answers_total', { service: 'api', mode }, 3 * HOUR, (seconds) => seconds * perSecond);

  it('fires after an hour in which one answer in a hundred was a fallback', () => {
    const series = [answers('fallback', 1), answers('contextual', 99)];
    expect(firesAt('AttuneRecommendationsOftenFallBack', series, 3 * HOUR)).toBeLessThanOrEqual(2 * HOUR);
    expect(firesAt('AttuneRecommendationsFallBack', series, 3 * HOUR)).toBeNull();
  });

  it('is silent about one fallback in a thousand answers, about a restart, and without requests', () => {
    const restart = seriesOf(
      'attune_output_answers_total',
      { service: 'api', mode: 'fallback' },
      3 * HOUR,
      (seconds) => Math.min(Math.max(seconds - 600, 0), 30) * 100,
    );
    for (const series of [
      [answers('fallback', 1), answers('personal', 999)],
      [restart, answers('personal', 100)],
      [answers('fallback', 0), answers('personal', 0)],
    ])
      expect(firesAt('AttuneRecommendationsOftenFallBack', series, 3 * HOUR)).toBeNull();
  });
});

describe('AttuneCatalogueTooLarge', () => {
  const questions = (outcome: string, valueAt: (seconds: number) => number) =>
    seriesOf('attune_selection_duration_seconds_count', { service: 'selection', outcome }, HOUR, valueAt);

  it('fires even if hardly anybody asks for the catalogue', () => {
    const rare = questions('too_large', (seconds) => Math.floor(seconds / 600));
    expect(
      firesAt('AttuneCatalogueTooLarge', [rare, questions('ranked', (seconds) => seconds * 50)], HOUR),
    ).not.toBeNull();
  });

  it('is silent about other outcomes', () => {
    const series = [questions('too_large', () => 0), questions('behind', (seconds) => seconds)];
    expect(firesAt('AttuneCatalogueTooLarge', series, HOUR)).toBeNull();
  });
});

describe('AttuneCatalogueBehind', () => {
  const behind = (valueAt: (seconds: number) => number) =>
    seriesOf('attune_selection_behind_seconds', { service: 'selection' }, HOUR, valueAt);

  it('fires when a catalogue in use gets older and older', () => {
    expect(firesAt('AttuneCatalogueBehind', [behind((seconds) => seconds)], HOUR)).toBe(735);
  });

  it('is silent about an import of some minutes', () => {
    expect(
      firesAt('AttuneCatalogueBehind', [behind((seconds) => (seconds % 900 < 500 ? seconds % 900 : 1))], HOUR),
    ).toBeNull();
  });
});

describe('AttuneWorkWasLost', () => {
  const found = (valueAt: (seconds: number) => number) =>
    seriesOf('attune_reconciler_found_total', { service: 'relay', kind: 'item' }, 2 * HOUR, valueAt);

  it('fires when the reconciler finds work pass after pass', () => {
    const storm = found((seconds) => Math.floor(seconds / 120) * 30);
    expect(firesAt('AttuneWorkWasLost', [storm], 2 * HOUR)).not.toBeNull();
  });

  it('fires when one piece of work is found at every pass', () => {
    const endless = found((seconds) => Math.floor(seconds / 120));
    expect(firesAt('AttuneWorkWasLost', [endless], 2 * HOUR)).not.toBeNull();
  });

  it('is silent about a single finding, as after the restart of a process', () => {
    const single = found((seconds) => (seconds < 600 ? 0 : 2));
    expect(firesAt('AttuneWorkWasLost', [single], 2 * HOUR)).toBeNull();
  });
});
