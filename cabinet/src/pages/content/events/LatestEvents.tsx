import { useQuery } from '@tanstack/react-query';
import type { EventFilter } from '../../../data/project/eventFilter.ts';
import { latestEventsQuery } from '../../../data/project/people.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Command } from '../../../ui/dialogs/Command.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { acceptedRow, byReceipt, rejectedRow } from './eventRows.ts';
import { eventCommand } from './eventCommand.ts';
import { EventTable } from './EventTable.tsx';

interface Props {
  project: string;
  filter: EventFilter;
  onClear: () => void;
}

/** Shows the events of the whole project as they arrive. */
export function LatestEvents({ project, filter: { type, outcome }, onClear }: Props) {
  const { events, table } = useWords();
  const { data, error, refetch } = useQuery(latestEventsQuery(project, type));
  const accepted = outcome === 'rejected' ? [] : (data?.items ?? []).map(acceptedRow);
  const rejected = outcome === 'accepted' ? [] : (data?.rejected ?? []).map(rejectedRow);
  const rows = byReceipt([...accepted, ...rejected]);
  return (
    <>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {rows.length > 0 && (
        <Card title={events.title}>
          <EventTable project={project} title={events.title} rows={rows} />
        </Card>
      )}
      {data && rows.length === 0 && (
        <NoEvents isFiltered={type !== undefined || outcome !== undefined} onClear={onClear} />
      )}
    </>
  );
}

export function NoEvents({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { events } = useWords();
  if (isFiltered)
    return (
      <Empty title={events.nothingFound}>
        <Button onPress={onClear}>{events.clear}</Button>
      </Empty>
    );
  return (
    <Empty title={events.empty}>
      <p>{events.emptyHint}</p>
      <Command text={eventCommand('hello')} />
    </Empty>
  );
}
