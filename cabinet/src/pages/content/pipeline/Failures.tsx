import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { StepReason } from '../../../data/pipeline.ts';
import { useRefusal } from '../../../data/refusal.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/DataTable.tsx';
import { Hint } from '../../../ui/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';

/** Lists why steps failed or were postponed, with links to the items and a button that analyses them again. */
export function Failures({ project, reasons }: { project: string; reasons: readonly StepReason[] }) {
  const words = useWords();
  const { pipeline } = words;
  const format = useFormat();
  const refusal = useRefusal(project);
  const [chosen, setChosen] = useState<StepReason | null>(null);
  const failures = reasons.filter(({ state }) => state !== 'skipped');
  const textOf = ({ code }: StepReason): string => words.reasons[code] ?? code;
  const columns: Column<StepReason>[] = [
    {
      key: 'reason',
      title: pipeline.columns.reason,
      cell: (reason) => <RowTitle title={textOf(reason)} detail={reason.code} />,
    },
    { key: 'step', title: pipeline.columns.step, cell: ({ step }) => words.steps[step] },
    {
      key: 'state',
      title: pipeline.columns.state,
      cell: ({ state }) => <Badge tone={state === 'failed' ? 'bad' : 'warn'}>{words.states[state]}</Badge>,
    },
    {
      key: 'items',
      title: pipeline.columns.items,
      kind: 'number',
      cell: (reason) => (
        <Link
          to="/p/$project/items"
          params={{ project }}
          search={{ step: reason.step, code: reason.code }}
          aria-label={pipeline.seeItems(format.number(reason.items), textOf(reason))}
        >
          {format.number(reason.items)}
        </Link>
      ),
    },
    {
      key: 'actions',
      title: pipeline.columns.actions,
      kind: 'actions',
      cell: (reason) => (
        <Button
          kind="quiet"
          isDisabled={refusal !== null}
          aria-label={pipeline.runAgainNamed(textOf(reason))}
          onPress={() => setChosen(reason)}
        >
          {pipeline.runAgain}
        </Button>
      ),
    },
  ];
  return (
    <Card title={pipeline.failures}>
      {failures.length === 0 ? (
        <p>{pipeline.noFailures}</p>
      ) : (
        <>
          <Hint>{refusal ? words.refusals[refusal] : pipeline.failuresAbout}</Hint>
          <DataTable
            label={pipeline.failures}
            columns={columns}
            rows={failures}
            idOf={({ step, state, code }) => `${step}/${state}/${code}`}
          />
        </>
      )}
      {chosen !== null && (
        <ReasonDialog project={project} reason={chosen} text={textOf(chosen)} onClose={() => setChosen(null)} />
      )}
    </Card>
  );
}
