import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { typeTitles } from '../../../data/project/eventTypes.ts';
import { eventTypesQuery } from '../../../data/project/projectSettings.ts';
import type { ProjectEvent } from '../../../data/project/people.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat, type Format } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import type { Words } from '../../../words/en/index.ts';
import type { EventRow } from './eventRows.ts';

interface Props {
  project: string;
  title: string;
  rows: readonly EventRow[];
  /** Columns to leave out. */
  without?: readonly ('person' | 'outcome')[];
}

export function EventTable({ project, title, rows, without = [] }: Props) {
  const words = useWords();
  const format = useFormat();
  const { data: types = [] } = useInfiniteQuery(eventTypesQuery(project));
  const titles = typeTitles(types, words);
  const { columns } = words.events;
  const all: Column<EventRow>[] = [
    { key: 'event', title: columns.event, cell: ({ type }) => <TypeTitle type={type} titles={titles} /> },
    { key: 'outcome', title: columns.outcome, cell: ({ rejection }) => <Outcome rejection={rejection} /> },
    {
      key: 'item',
      title: columns.item,
      cell: ({ item, rejection }) => <ItemLink project={project} item={item} rejection={rejection} />,
    },
    {
      key: 'person',
      title: columns.person,
      cell: ({ person, rejection }) => <PersonLink project={project} person={person} rejection={rejection} />,
    },
    {
      key: 'details',
      title: columns.details,
      cell: ({ event }) => <Hint>{event === null ? '—' : detailsOf(event, words, format)}</Hint>,
    },
    { key: 'received', title: columns.received, cell: ({ received }) => format.moment(received) },
  ];
  const shown = all.filter(({ key }) => !without.some((one) => one === key));
  return <DataTable label={title} columns={shown} rows={rows} idOf={({ key }) => key} />;
}

function TypeTitle({ type, titles }: Pick<EventRow, 'type'> & { titles: ReadonlyMap<string, string> }) {
  const { unknownType } = useWords().events;
  if (type === null) return <RowTitle title={unknownType} />;
  const known = titles.get(type);
  return known === undefined || known === type ? <RowTitle title={type} /> : <RowTitle title={known} detail={type} />;
}

function Outcome({ rejection }: Pick<EventRow, 'rejection'>) {
  const { outcomes, reasons } = useWords().events;
  if (rejection === null) return <Badge tone="good">{outcomes.accepted}</Badge>;
  return (
    <span>
      <Badge tone="bad">{outcomes.rejected}</Badge>
      <Hint>{reasons[rejection]}</Hint>
    </span>
  );
}

function ItemLink({ project, item, rejection }: { project: string } & Pick<EventRow, 'item' | 'rejection'>) {
  const { noItem } = useWords().events;
  if (item === null) return noItem;
  // An unknown item has no page.
  if (rejection === 'unknown_item') return item;
  return (
    <Link to="/p/$project/items/$item" params={{ project, item }}>
      {item}
    </Link>
  );
}

function PersonLink({ project, person, rejection }: { project: string } & Pick<EventRow, 'person' | 'rejection'>) {
  const { nobody } = useWords().events;
  if (person === null) return nobody;
  if (rejection === 'invalid_user') return person.user;
  return (
    <Link to="/p/$project/users/$user" params={{ project, user: person.user }} search={{ kind: person.kind }}>
      {person.user}
    </Link>
  );
}

/** One minute: an event with a longer delay was sent later, or backdated. */
const SOON_MS = 60_000;

function detailsOf(event: ProjectEvent, { events }: Words, { number, moment }: Format): string {
  const { value, surface, position, recommendation_id: recommendation, order_id: order } = event;
  const late = Date.parse(event.received_at) - Date.parse(event.occurred_at);
  const details = [
    ...(value === null ? [] : [events.value(number(value))]),
    ...(surface === null ? [] : [events.surface(surface)]),
    ...(position === null ? [] : [events.position(number(position + 1))]),
    ...(recommendation === null ? [] : [events.recommended]),
    ...(order === null ? [] : [events.order(order)]),
    ...(Math.abs(late) > SOON_MS ? [events.happened(moment(event.occurred_at))] : []),
  ];
  return details.length === 0 ? '—' : details.join(' · ');
}
