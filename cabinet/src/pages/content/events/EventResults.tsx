import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { AttuneError } from '../../../data/client.ts';
import { TimeChart } from '../../../charts/TimeChart.tsx';
import type { EventFilter } from '../../../data/project/eventFilter.ts';
import { eventsQuery, personQuery, type PersonKind } from '../../../data/project/people.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { acceptedRow, byReceipt, rejectedRow } from './eventRows.ts';
import { EventTable } from './EventTable.tsx';
import { impressionsByDay, type ImpressionCounter } from './impressions.ts';
import { NoEvents } from './LatestEvents.tsx';

interface Props {
  project: string;
  filter: EventFilter;
  onClear: () => void;
}

/** Shows the events of a person, of an item, or of both. */
export function EventResults({ project, filter, onClear }: Props) {
  const { user, kind } = filter;
  // The identifier may be of any kind, but the API needs the kind, so it is looked up first.
  const found = useQuery({
    ...personQuery(project, { user: user ?? '', kind }),
    enabled: user !== undefined && kind === undefined,
  });
  const { table } = useWords();
  if (user === undefined) return <FoundEvents project={project} filter={filter} onClear={onClear} />;
  if (kind !== undefined)
    return <FoundEvents project={project} filter={filter} person={{ user, kind }} onClear={onClear} />;
  const isUnknown = found.error instanceof AttuneError && found.error.status === 404;
  if (found.error && !isUnknown) return <Problem error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data && !isUnknown) return <p role="status">{table.loading}</p>;
  // Events of an unknown person may have been rejected.
  const known = found.data?.identifiers.find(({ id }) => id === user);
  const person = { user, kind: known?.kind ?? ('user_id' as const) };
  return <FoundEvents project={project} filter={filter} person={person} onClear={onClear} />;
}

function FoundEvents({
  project,
  filter: { type, item, outcome },
  person,
  onClear,
}: Props & { person?: { user: string; kind: PersonKind } }) {
  const { events, table } = useWords();
  const query = useInfiniteQuery(eventsQuery(project, { person, item, type }));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const [first] = data?.pages ?? [];
  const accepted = outcome === 'rejected' ? [] : (data?.pages ?? []).flatMap((page) => page.items.map(acceptedRow));
  const rejected = outcome === 'accepted' ? [] : (first?.rejected ?? []).map(rejectedRow);
  const rows = byReceipt([...accepted, ...rejected]);
  return (
    <>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {first && first.impressions.length > 0 && <Impressions counts={first.impressions} />}
      {rows.length > 0 && (
        <Card title={events.title}>
          <EventTable project={project} title={events.title} rows={rows} />
        </Card>
      )}
      {data && rows.length === 0 && <NoEvents isFiltered onClear={onClear} />}
      {hasNextPage && outcome !== 'rejected' && (
        <Buttons>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {table.more}
          </Button>
        </Buttons>
      )}
    </>
  );
}

function Impressions({ counts }: { counts: readonly ImpressionCounter[] }) {
  const { events } = useWords();
  const { day, number } = useFormat();
  const { days, values } = impressionsByDay(counts, new Date());
  return (
    <Card title={events.impressions}>
      <TimeChart
        title={events.impressions}
        labels={days.map(day)}
        series={[{ name: events.impressions, values }]}
        format={number}
      />
    </Card>
  );
}
