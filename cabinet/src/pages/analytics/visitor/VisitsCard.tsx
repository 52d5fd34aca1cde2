import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { visitorRecordingsQuery, type Recording } from '../../../data/sites/recordings.ts';
import type { Visit, VisitorDetail } from '../../../data/sites/visitors.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { pathText } from '../parts/pathText.ts';
import { sourceText } from '../parts/sourceText.ts';
import { useDeviceText } from '../parts/useDeviceText.ts';
import { GoalsAndOrders } from './GoalsAndOrders.tsx';

interface Props {
  site: string;
  visitor: VisitorDetail;
}

/** Lists visits, the latest first, with source, result and recordings. */
export function VisitsCard({ site, visitor }: Props) {
  const words = useWords();
  const format = useFormat();
  const deviceText = useDeviceText();
  const { data: recordings = [], error, refetch } = useQuery(visitorRecordingsQuery(site, visitor.visitor_id));
  const { columns, visits, robot } = words.visitor;
  const recordingsOf = (visit: Visit): Recording[] => recordings.filter(({ visit_id }) => visit_id === visit.id);
  const shown: Column<Visit>[] = [
    {
      key: 'when',
      title: columns.when,
      cell: (visit) => <RowTitle title={format.moment(visit.started_at)} detail={format.duration(secondsOf(visit))} />,
    },
    { key: 'source', title: columns.source, cell: (visit) => sourceText(visit, words) ?? '—' },
    {
      key: 'pages',
      title: columns.pages,
      cell: ({ pageviews, entry_page: entry, exit_page: exit }) => (
        <RowTitle title={words.visitor.pageviews(pageviews)} detail={pagesText(entry, exit)} />
      ),
    },
    {
      key: 'device',
      title: columns.device,
      cell: (visit) => (visit.is_robot ? <Badge tone="quiet">{robot}</Badge> : deviceText(visit) || '—'),
    },
    {
      key: 'outcome',
      title: columns.outcome,
      cell: (visit) => <GoalsAndOrders site={site} visitor={visitor} visit={visit} recordings={recordingsOf(visit)} />,
    },
    {
      key: 'recordings',
      title: columns.recordings,
      cell: (visit) => <Recordings site={site} recordings={recordingsOf(visit)} />,
    },
  ];
  return (
    <Card title={visits}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {visitor.recent_visits.length === 0 ? (
        <Empty title={words.visitor.noVisits}>
          <p>{words.visitor.noVisitsHint}</p>
        </Empty>
      ) : (
        <DataTable label={visits} columns={shown} rows={visitor.recent_visits} idOf={({ id }) => id} />
      )}
      {visitor.visits > visitor.recent_visits.length && <Hint>{words.visitor.olderVisits}</Hint>}
    </Card>
  );
}

function Recordings({ site, recordings }: { site: string; recordings: readonly Recording[] }) {
  const { visitor: words } = useWords();
  const format = useFormat();
  if (recordings.length === 0) return '—';
  return recordings.map(({ id, started_at, duration_ms }) => (
    <div key={id}>
      <Link to="/s/$site/recordings/$recording" params={{ site, recording: id }}>
        {words.watch(format.time(started_at), format.duration(duration_ms / 1000))}
      </Link>
    </div>
  ));
}

function secondsOf({ started_at, ended_at }: Visit): number {
  return Math.max(0, (Date.parse(ended_at) - Date.parse(started_at)) / 1000);
}

function pagesText(entry: string | null, exit: string | null): string | undefined {
  if (entry === null && exit === null) return undefined;
  const [first, last] = [pathText(entry ?? exit), pathText(exit ?? entry)];
  return first === last ? first : `${first} → ${last}`;
}
