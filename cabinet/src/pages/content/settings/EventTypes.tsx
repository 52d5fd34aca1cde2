import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { flagsOf, titleOfType } from '../../../data/eventTypes.ts';
import { eventTypesQuery, type EventType } from '../../../data/projectSettings.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/DataTable.tsx';
import { Hint } from '../../../ui/Hint.tsx';
import { NewButton } from '../../../ui/NewButton.tsx';
import { Paged } from '../../../ui/Paged.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

/** Loaded on demand: most users only look at the page, or use another card. */
const EventTypeDialog = lazy(async () => ({ default: (await import('./EventTypeDialog.tsx')).EventTypeDialog }));

/** Lists the event types of a project. */
export function EventTypes({ project, isViewer }: { project: string; isViewer: boolean }) {
  const words = useWords();
  const { types, change } = words.settings;
  const format = useFormat();
  const query = useInfiniteQuery(eventTypesQuery(project));
  const [edited, setEdited] = useState<EventType | 'new' | null>(null);
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
          onPress={() => setEdited(type)}
        >
          {change}
        </Button>
      ),
    },
  ];
  return (
    <Card
      title={types.title}
      aside={<NewButton text={types.make} isDisabled={isViewer} onPress={() => setEdited('new')} />}
    >
      {isViewer && <Hint>{words.refusals.owner}</Hint>}
      <Paged query={query} empty={<p>{types.empty}</p>}>
        {(rows) => <DataTable label={types.title} columns={columns} rows={rows} idOf={({ code }) => code} />}
      </Paged>
      {edited !== null && (
        <Suspense>
          <EventTypeDialog project={project} type={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </Card>
  );
}
