/** The current details of a workflow `item`, as the Temporal UI shows them: Markdown. */
import { statesOf, STEPS, type Step, type StepRecords } from '../../domain/steps.ts';

const MARKS = {
  done: '[x]',
  skipped: '[x]',
  failed: '[ ]',
  queued: '[ ]',
  running: '[ ]',
  deferred: '[ ]',
  waiting: '[ ]',
} as const;

/** A line per step: its state, and why it is where it is. */
export function checklist(steps: StepRecords, inHand: ReadonlySet<Step>): string {
  const states = statesOf(steps);
  return STEPS.map((step) => {
    const state = inHand.has(step) && states[step] === 'queued' ? 'running' : states[step];
    const { error, retryAt } = steps[step];
    const reason = error ? ` — ${error.code}` : '';
    return `- ${MARKS[state]} ${step}: **${state}**${reason}${retryAt ? `, next try ${retryAt}` : ''}`;
  }).join('\n');
}
