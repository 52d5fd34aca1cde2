import { flagsOf, titleOfType } from '../../../../data/project/eventTypes.ts';
import type { EventType } from '../../../../data/project/projectSettings.ts';
import { Badge } from '../../../../ui/messages/Badge.tsx';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { DataTable, RowTitle, type Column } from '../../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';

interface Props {
  rows: readonly EventType[];
  isViewer: boolean;
  onChange: (type: EventType) => void;
}

export function EventTypeTable({ rows, isViewer, onChange }: Props) {
  const words = useWords();
  const { types, change } = words.settings;
  const format = useFormat();
  const columns: Column<EventType>[] = [
    {
      key: 'type',
      title: types.columns.type,
      cell: (type) => <RowTitle title={titleOfType(type, words)} detail={type.code} />,
    },
    { key: 'mode', title: types.columns.mode, cell: ({ mode }) => types.modes[mode] },
    { key: 'weight', title: types.columns.weight, kind: 'number', cell: ({ weight }) => format.number(weight) },
    {
      key: 'marks',
      title: types.columns.marks,
      cell: (type) =>
        flagsOf(type)
          .map((flag) => types.flags[flag])
          .join(', ') || '—',
    },
    {
      key: 'state',
      title: types.columns.state,
      cell: ({ is_active: isActive }) => (
        <Badge tone={isActive ? 'good' : 'quiet'}>{isActive ? types.on : types.off}</Badge>
      ),
    },
    {
      key: 'actions',
      title: types.columns.actions,
      kind: 'actions',
      cell: (type) => (
        <Button
          kind="quiet"
          isDisabled={isViewer}
          aria-label={types.changeNamed(titleOfType(type, words))}
          onPress={() => onChange(type)}
        >
          {change}
        </Button>
      ),
    },
  ];
  return <DataTable label={types.title} columns={columns} rows={rows} idOf={({ code }) => code} />;
}
