import { Link } from '@tanstack/react-router';
import type { StepReason } from '../../../data/items/pipeline.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { reasonText } from '../../../words/reasonText.ts';

interface Props {
  project: string;
  rows: readonly StepReason[];
  /** Whether this user may not analyse again. */
  isDisabled: boolean;
  onRunAgain: (reason: StepReason) => void;
}

/** Lists why steps failed or were postponed. */
export function FailureTable({ project, rows, isDisabled, onRunAgain }: Props) {
  const words = useWords();
  const { pipeline } = words;
  const format = useFormat();
  const textOf = ({ code }: StepReason): string => reasonText(words, code);
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
          isDisabled={isDisabled}
          aria-label={pipeline.runAgainNamed(textOf(reason))}
          onPress={() => onRunAgain(reason)}
        >
          {pipeline.runAgain}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      label={pipeline.failures}
      columns={columns}
      rows={rows}
      idOf={({ step, state, code }) => `${step}/${state}/${code}`}
    />
  );
}
