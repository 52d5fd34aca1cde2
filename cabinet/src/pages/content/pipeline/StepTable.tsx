import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import type { Pipeline } from '../../../data/items/pipeline.ts';
import { STEPS, type Step } from '../../../data/items/steps.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

const STATES = exhaustiveList<keyof Pipeline['steps'][Step]>({
  queued: true,
  running: true,
  deferred: true,
  waiting: true,
  done: true,
  skipped: true,
  failed: true,
});

/** Shows the number of items in each state of each step. Empty states have no column. */
export function StepTable({ steps }: { steps: Pipeline['steps'] }) {
  const words = useWords();
  const format = useFormat();
  const shown = STATES.filter((state) => state === 'done' || STEPS.some((step) => steps[step][state] > 0));
  const columns: Column<Step>[] = [
    { key: 'step', title: words.pipeline.columns.step, cell: (step) => <strong>{words.steps[step]}</strong> },
    ...shown.map((state) => ({
      key: state,
      title: words.states[state],
      kind: 'number' as const,
      cell: (step: Step) => format.number(steps[step][state]),
    })),
  ];
  return (
    <Card title={words.pipeline.steps}>
      <DataTable label={words.pipeline.steps} columns={columns} rows={STEPS} idOf={(step) => step} />
    </Card>
  );
}
