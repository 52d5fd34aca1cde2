import { useInfiniteQuery } from '@tanstack/react-query';
import { eventsQuery, type Order, type PersonKind } from '../../../data/project/people.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { acceptedRow, rejectedRow } from '../events/eventRows.ts';
import { EventTable } from '../events/EventTable.tsx';
import { ItemLink } from './Taste.tsx';

interface Props {
  project: string;
  person: { user: string; kind: PersonKind };
}

/** Lists events, orders, and rejected events. */
export function History({ project, person }: Props) {
  const { person: words, table } = useWords();
  const query = useInfiniteQuery(eventsQuery(project, { person }));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const [first] = data?.pages ?? [];
  const rows = (data?.pages ?? []).flatMap(({ items }) => items.map(acceptedRow));
  return (
    <>
      <Card title={words.history}>
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <p role="status">{table.loading}</p>}
        {data && rows.length === 0 && <Hint>{words.noActivity}</Hint>}
        {rows.length > 0 && (
          <EventTable project={project} title={words.history} rows={rows} without={['person', 'outcome']} />
        )}
        {hasNextPage && (
          <Buttons>
            <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
              {table.more}
            </Button>
          </Buttons>
        )}
      </Card>
      {first && first.orders.length > 0 && <Orders project={project} orders={first.orders} />}
      {first && first.rejected.length > 0 && (
        <Card title={words.rejected}>
          <EventTable
            project={project}
            title={words.rejected}
            rows={first.rejected.map(rejectedRow)}
            without={['person']}
          />
        </Card>
      )}
    </>
  );
}

function Orders({ project, orders }: { project: string; orders: readonly Order[] }) {
  const { person } = useWords();
  const { moment, number } = useFormat();
  const { columns, orderStates } = person;
  return (
    <Card title={person.orders}>
      <DataTable
        label={person.orders}
        rows={orders}
        idOf={({ order_id: id }) => id}
        columns={[
          { key: 'order', title: columns.order, cell: ({ order_id: id }) => id },
          {
            key: 'status',
            title: columns.status,
            cell: ({ status }) => <Badge tone={status === 'created' ? 'good' : 'quiet'}>{orderStates[status]}</Badge>,
          },
          {
            key: 'items',
            title: columns.items,
            cell: ({ items }) => (
              <ul>
                {items.map(({ item, quantity, price }) => (
                  <li key={item}>
                    <ItemLink project={project} item={item} title={null} /> × {number(quantity)}
                    {price !== null && ` · ${number(price)}`}
                  </li>
                ))}
              </ul>
            ),
          },
          { key: 'when', title: columns.when, cell: ({ occurred_at: at }) => moment(at) },
        ]}
      />
    </Card>
  );
}
