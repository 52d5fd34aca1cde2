import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { reportFieldsQuery, type ReportFields } from '../../../data/report/reportFields.ts';
import { searchOfSaved, type SavedReport } from '../../../data/report/savedReportAddress.ts';
import { refreshSavedReports, savedReportsQuery } from '../../../data/report/savedReports.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { ActionMenu } from '../../../ui/buttons/ActionMenu.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { usePreferences, useWords } from '../../../words/preferences.tsx';
import { titleOf } from '../../../data/report/reportFields.ts';
import { RenameDialog } from './RenameDialog.tsx';

/** Lists the saved reports of a site, to open, rename or delete. */
export function SavedReports({ site }: { site: string }) {
  const { reports, table, refusals } = useWords();
  const { data, error, refetch } = useQuery(savedReportsQuery(site));
  const { data: fields } = useQuery(reportFieldsQuery(site));
  const [renaming, setRenaming] = useState<SavedReport | null>(null);
  const [deleting, setDeleting] = useState<SavedReport | null>(null);
  const refusal = useMayChange() ? null : refusals.owner;
  const columns = useColumns(site, fields, (saved) => [
    { text: reports.rename, refusal, onAction: () => setRenaming(saved) },
    { text: reports.remove, refusal, isDanger: true, onAction: () => setDeleting(saved) },
  ]);
  return (
    <Card title={reports.saved}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data?.length === 0 && (
        <Empty title={reports.savedEmpty}>
          <p>{reports.savedEmptyAbout}</p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <DataTable label={reports.saved} columns={columns} rows={data.toReversed()} idOf={({ id }) => id} />
      )}
      {renaming && <RenameDialog site={site} saved={renaming} onClose={() => setRenaming(null)} />}
      <DeleteReportDialog site={site} saved={deleting} onClose={() => setDeleting(null)} />
    </Card>
  );
}

type Actions = Parameters<typeof ActionMenu>[0]['actions'];

function useColumns(
  site: string,
  fields: ReportFields | undefined,
  actionsOf: (saved: SavedReport) => Actions,
): Column<SavedReport>[] {
  const { language, words } = usePreferences();
  const { reports, segments } = words;
  const format = useFormat();
  const madeOf = ({ report: { dimensions = [], metrics } }: SavedReport): string =>
    fields ? [...dimensions, ...metrics].map((id) => titleOf(fields, id, language)).join(', ') : '';
  return [
    {
      key: 'title',
      title: words.report.name,
      cell: (saved) => (
        <RowTitle
          title={
            <Link to="/s/$site/report" params={{ site }} search={searchOfSaved(saved)}>
              {saved.title}
            </Link>
          }
        />
      ),
    },
    { key: 'made', title: words.report.made, cell: madeOf },
    {
      key: 'days',
      title: words.periods.period,
      cell: ({ last_days: days, report: { date_from: from, date_to: to } }) =>
        days === null ? `${format.day(from)} – ${format.day(to)}` : reports.lastDays(days),
    },
    { key: 'changed', title: segments.columns.changed, cell: ({ updated_at: at }) => format.moment(at) },
    {
      key: 'actions',
      title: segments.columns.actions,
      kind: 'actions',
      cell: (saved) => <ActionMenu label={reports.actions(saved.title)} actions={actionsOf(saved)} />,
    },
  ];
}

function DeleteReportDialog({
  site,
  saved,
  onClose,
}: {
  site: string;
  saved: SavedReport | null;
  onClose: () => void;
}) {
  const { reports } = useWords();
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteSavedReport({ path: { id: site, report: id } }),
    // Somebody else may have deleted it first.
    onError: () => refreshSavedReports(site),
    onSuccess: async () => {
      await refreshSavedReports(site);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={reports.removeTitle(saved?.title ?? '')}
      isOpen={saved !== null}
      action={reports.remove}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => saved && remove.mutate(saved.id)}
      onClose={onClose}
    >
      <p>{reports.removeAbout}</p>
    </ConfirmDialog>
  );
}
