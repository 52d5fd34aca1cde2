import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { importsQuery, type Import } from '../../../data/items/imports.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { ImportState } from './ImportState.tsx';

const FORMATS: Record<Import['format'], string> = { csv: 'CSV', jsonl: 'JSON Lines' };

/** Lists all imports, the newest first. */
export function ImportHistory({ project, shown }: { project: string; shown: string | undefined }) {
  const { imports } = useWords();
  const format = useFormat();
  const query = useInfiniteQuery(importsQuery(project));
  const columns: Column<Import>[] = [
    {
      key: 'made',
      title: imports.columns.made,
      cell: ({ id, created_at: made }) => (
        <Link
          to="/p/$project/imports"
          params={{ project }}
          search={{ file: id }}
          resetScroll={false}
          {...(id === shown && { 'aria-current': true })}
        >
          {format.moment(made)}
        </Link>
      ),
    },
    { key: 'format', title: imports.columns.format, cell: (one) => FORMATS[one.format] },
    {
      key: 'state',
      title: imports.columns.state,
      cell: (one) => <ImportState state={one.state} failed={one.failed} />,
    },
    { key: 'done', title: imports.done, kind: 'number', cell: ({ done }) => format.number(done) },
    { key: 'failed', title: imports.failed, kind: 'number', cell: ({ failed }) => format.number(failed) },
  ];
  return (
    <Card title={imports.former}>
      <PaginatedList query={query} empty={<p>{imports.none}</p>}>
        {(rows) => (
          <>
            <Hint>{imports.kept}</Hint>
            <DataTable label={imports.former} columns={columns} rows={rows} idOf={({ id }) => id} />
          </>
        )}
      </PaginatedList>
    </Card>
  );
}
