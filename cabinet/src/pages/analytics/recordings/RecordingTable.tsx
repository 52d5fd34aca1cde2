import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import type { Recording } from '../../../data/sites/recordings.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { pathText } from '../parts/pathText.ts';
import { sourceText } from '../parts/sourceText.ts';

export function RecordingTable({ site, recordings }: { site: string; recordings: readonly Recording[] }) {
  const words = useWords();
  const format = useFormat();
  const { columns, title, favourite } = words.recordings;
  const shown: Column<Recording>[] = [
    {
      key: 'when',
      title: columns.when,
      cell: ({ id, started_at, favourite: isFavourite }) => (
        <>
          <Link to="/s/$site/recordings/$recording" params={{ site, recording: id }}>
            {format.moment(started_at)}
          </Link>
          {isFavourite && <Star role="img" aria-label={favourite} size={14} fill="currentColor" />}
        </>
      ),
    },
    { key: 'duration', title: columns.duration, cell: ({ duration_ms }) => format.span(inSeconds(duration_ms)) },
    { key: 'entry', title: columns.entry, cell: ({ first_page, entry_page }) => pathText(first_page ?? entry_page) },
    { key: 'source', title: columns.source, cell: (recording) => sourceText(recording, words) ?? '—' },
    { key: 'pages', title: columns.pages, kind: 'number', cell: ({ pages }) => pages ?? '—' },
    { key: 'clicks', title: columns.clicks, kind: 'number', cell: ({ clicks }) => format.number(clicks) },
    { key: 'goals', title: columns.goals, kind: 'number', cell: ({ goals }) => format.number(goals) },
    {
      key: 'errors',
      title: columns.errors,
      kind: 'number',
      cell: ({ errors }) => (errors > 0 ? <Badge tone="bad">{format.number(errors)}</Badge> : 0),
    },
  ];
  return <DataTable label={title} columns={shown} rows={recordings} idOf={({ id }) => id} />;
}

/** Rounds to seconds, beside which milliseconds are irrelevant. */
function inSeconds(milliseconds: number): number {
  return milliseconds < 1_000 ? milliseconds : Math.round(milliseconds / 1_000) * 1_000;
}
