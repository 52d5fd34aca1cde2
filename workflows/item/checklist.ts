/** The current details of a workflow `item` in the Temporal UI, as Markdown. */
import { statesOf, STEPS, type Step, type StepRecords } from '../../domain/analysis/steps.ts';

const MARKS = {
  done: '[x]',
  skipped: '[x]',
  failed: '[ ]',
  queued: '[ ]',
  running: '[ ]',
  deferred: '[ ]',
  waiting: '[ ]',
} as const;

/** Returns a line per step with its state and the reason. */
export function checklist(steps: StepRecords, active: ReadonlySet<Step>): string {
  const states = statesOf(steps);
  return STEPS.map((step) => {
    const state = active.has(step) && states[step] === 'queued' ? 'running' : states[step];
    const { error, retryAt } = steps[step];
    const reason = error ? ` — ${error.code}` : '';
    return `- ${MARKS[state]} ${step}: **${state}**${reason}${retryAt ? `, next try ${retryAt}` : ''}`;
  }).join('\n');
}
