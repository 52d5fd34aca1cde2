/** The segments of a site. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { draftOf, leavesOf } from '../../../data/report/conditions.ts';
import { refreshSegments, segmentsQuery, type Segment } from '../../../data/report/savedReports.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { ActionMenu } from '../../../ui/buttons/ActionMenu.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NewButton } from '../../../ui/buttons/NewButton.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

export function SegmentsPage() {
  const { segments, table, refusals } = useWords();
  const { site } = useParams({ from: '/shell/s/$site/segments' });
  const { data, error, refetch } = useQuery(segmentsQuery(site));
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const [deleting, setDeleting] = useState<Segment | null>(null);
  const open = (segment: string): void =>
    void navigate({ to: '/s/$site/segments/$segment', params: { site, segment } });
  const columns = useColumns(site, (one) => [
    { text: segments.edit, onAction: () => open(one.id) },
    {
      text: segments.recordings,
      onAction: () => void navigate({ to: '/s/$site/recordings', params: { site }, search: { segment: one.id } }),
    },
    {
      text: segments.remove,
      refusal: mayChange ? null : refusals.owner,
      isDanger: true,
      onAction: () => setDeleting(one),
    },
  ]);
  return (
    <Page
      title={segments.title}
      actions={<NewButton text={segments.make} isDisabled={!mayChange} onPress={() => open('new')} />}
    >
      <Card title={segments.saved}>
        <Hint>{mayChange ? segments.about : refusals.owner}</Hint>
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <p role="status">{table.loading}</p>}
        {data?.length === 0 && (
          <Empty title={segments.empty}>
            <p>{segments.emptyAbout}</p>
          </Empty>
        )}
        {data && data.length > 0 && (
          <DataTable label={segments.saved} columns={columns} rows={data.toReversed()} idOf={({ id }) => id} />
        )}
      </Card>
      <DeleteSegmentDialog site={site} segment={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}

function useColumns(
  site: string,
  actionsOf: (segment: Segment) => Parameters<typeof ActionMenu>[0]['actions'],
): Column<Segment>[] {
  const { segments } = useWords();
  const { columns } = segments;
  const format = useFormat();
  return [
    {
      key: 'title',
      title: columns.title,
      cell: ({ id, title }) => (
        <RowTitle
          title={
            <Link to="/s/$site/segments/$segment" params={{ site, segment: id }}>
              {title}
            </Link>
          }
        />
      ),
    },
    { key: 'what', title: columns.what, cell: ({ conditions }) => <ConditionsCell conditions={conditions} /> },
    { key: 'changed', title: columns.changed, cell: ({ updated_at: at }) => format.moment(at) },
    {
      key: 'report',
      title: columns.report,
      cell: ({ id }) => (
        <Link to="/s/$site/report" params={{ site }} search={{ segment: id }}>
          {segments.report}
        </Link>
      ),
    },
    {
      key: 'actions',
      title: columns.actions,
      kind: 'actions',
      cell: (one) => <ActionMenu label={segments.actions(one.title)} actions={actionsOf(one)} />,
    },
  ];
}

function ConditionsCell({ conditions }: Pick<Segment, 'conditions'>) {
  const { segments } = useWords();
  const { scope, root } = draftOf(conditions);
  return (
    <>
      {segments.conditions(leavesOf(root).length)} · {segments.scopesShort[scope]}
    </>
  );
}

function DeleteSegmentDialog({
  site,
  segment,
  onClose,
}: {
  site: string;
  segment: Segment | null;
  onClose: () => void;
}) {
  const { segments } = useWords();
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteSegment({ path: { id: site, sid: id } }),
    // Somebody else may have deleted it first.
    onError: () => refreshSegments(site),
    onSuccess: async () => {
      await refreshSegments(site);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={segments.removeTitle(segment?.title ?? '')}
      isOpen={segment !== null}
      action={segments.remove}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => segment && remove.mutate(segment.id)}
      onClose={onClose}
    >
      <p>{segments.removeAbout}</p>
    </ConfirmDialog>
  );
}
