/** The export files of a site: their progress, links and expiry. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { exportsQuery, isUnfinished, type Export } from '../../../data/report/exports.ts';
import { reportFieldsQuery, type ReportFields } from '../../../data/report/reportFields.ts';
import { searchOfRequest } from '../../../data/report/savedReportAddress.ts';
import { Badge, type Tone } from '../../../ui/messages/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { ExportProgress } from '../parts/ExportProgress.tsx';
import { useReportText, type ReportText } from '../parts/useReportText.ts';
import styles from './ExportsPage.module.css';

export function ExportsPage() {
  const { exportsPage, table } = useWords();
  const { site } = useParams({ from: '/shell/s/$site/exports' });
  const { data: fields, error, refetch } = useQuery(reportFieldsQuery(site));
  return (
    <Page title={exportsPage.title}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!fields && !error && <p role="status">{table.loading}</p>}
      {fields && <Files site={site} fields={fields} />}
    </Page>
  );
}

function Files({ site, fields }: { site: string; fields: ReportFields }) {
  const { exportsPage } = useWords();
  const query = useInfiniteQuery(exportsQuery(site));
  const columns = useColumns(site, useReportText(fields));
  return (
    <Card title={exportsPage.files}>
      <Hint>{exportsPage.about}</Hint>
      <PaginatedList
        query={query}
        empty={
          <Empty title={exportsPage.empty}>
            <p>{exportsPage.emptyAbout}</p>
            <Link to="/s/$site/reports" params={{ site }}>
              {exportsPage.toReports}
            </Link>
          </Empty>
        }
      >
        {(rows) => <DataTable label={exportsPage.files} columns={columns} rows={rows} idOf={({ id }) => id} />}
      </PaginatedList>
    </Card>
  );
}

function useColumns(site: string, text: ReportText): Column<Export>[] {
  const { exportsPage } = useWords();
  const { columns } = exportsPage;
  const format = useFormat();
  return [
    { key: 'what', title: columns.what, cell: (file) => <ReportCell site={site} file={file} text={text} /> },
    { key: 'asked', title: columns.asked, cell: (file) => format.moment(file.created_at) },
    { key: 'state', title: columns.state, cell: (file) => <State file={file} text={text} /> },
    {
      key: 'rows',
      title: columns.rows,
      kind: 'number',
      cell: ({ rows }) => (rows === null ? '' : format.number(rows)),
    },
    {
      key: 'until',
      title: columns.until,
      cell: ({ url, expires_at: end }) => (url === null || end === null ? '' : format.moment(end)),
    },
    {
      key: 'file',
      title: columns.file,
      kind: 'actions',
      cell: ({ url, format: kind }) =>
        url !== null && (
          <a href={url} download>
            {exportsPage.download(kind.toUpperCase())}
          </a>
        ),
    },
  ];
}

/** Shows the report of a file, with a link that opens it. */
function ReportCell({ site, file, text }: { site: string; file: Export; text: ReportText }) {
  const search = searchOfRequest(file.report);
  const { from, to } = search;
  const days = from !== undefined && to !== undefined ? `${text.label('date', from)} – ${text.label('date', to)}` : '';
  return (
    <RowTitle
      title={
        <Link to="/s/$site/report" params={{ site }} search={search}>
          {titleOfFile(search, text)}
        </Link>
      }
      detail={`${file.format.toUpperCase()} · ${days}`}
    />
  );
}

function titleOfFile({ by = [], show = [] }: ReturnType<typeof searchOfRequest>, text: ReportText): string {
  return [...by, ...show].map(text.title).join(', ');
}

const TONES = {
  queued: 'quiet',
  running: 'busy',
  done: 'good',
  failed: 'bad',
  expired: 'quiet',
} as const satisfies Record<string, Tone>;

function State({ file, text }: { file: Export; text: ReportText }) {
  const { exportsPage } = useWords();
  const state = file.state === 'done' && file.url === null ? 'expired' : file.state;
  return (
    <div className={styles.state}>
      <Badge tone={TONES[state]}>{exportsPage.states[state]}</Badge>
      {isUnfinished(file) && (
        <ExportProgress file={file} label={exportsPage.progress(titleOfFile(searchOfRequest(file.report), text))} />
      )}
      {file.sampled === true && <Hint>{exportsPage.sampled}</Hint>}
      {file.error && <Hint>{exportsPage.errors[file.error.code] ?? exportsPage.otherError}</Hint>}
    </div>
  );
}
