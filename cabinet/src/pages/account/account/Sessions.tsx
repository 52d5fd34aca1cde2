import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionsQuery, type Session } from '../../../data/account/account.ts';
import { api } from '../../../data/client.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useSignOut } from '../../../shell/menus/useSignOut.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

/** Shows the user's sessions, and buttons that end them. */
export function Sessions() {
  const { account, profile } = useWords();
  const { sessions } = profile;
  const format = useFormat();
  const query = useInfiniteQuery(sessionsQuery);
  const [isLeaving, setLeaving] = useState(false);
  const signOut = useSignOut();
  const end = useMutation({
    mutationFn: ({ id }: Session) => api.endSession({ path: { id } }),
    // A session that has already ended is missing from the list: either way it has changed.
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const columns: Column<Session>[] = [
    { key: 'opened', title: sessions.columns.opened, cell: (session) => format.moment(session.created_at) },
    { key: 'used', title: sessions.columns.used, cell: (session) => format.moment(session.last_used_at) },
    {
      key: 'actions',
      title: sessions.columns.actions,
      kind: 'actions',
      cell: (session) =>
        session.is_current ? (
          <Badge tone="good">{sessions.current}</Badge>
        ) : (
          <Button
            kind="quiet"
            aria-label={sessions.endNamed(format.moment(session.created_at))}
            isPending={end.isPending && end.variables.id === session.id}
            onPress={() => end.mutate(session)}
          >
            {sessions.end}
          </Button>
        ),
    },
  ];
  return (
    <Card title={sessions.title} aside={<Button onPress={() => setLeaving(true)}>{account.signOutEverywhere}</Button>}>
      {end.error && <Problem error={end.error} />}
      <PaginatedList query={query} empty={<p>{sessions.empty}</p>}>
        {(rows) => (
          <DataTable
            label={sessions.title}
            columns={columns}
            rows={rows.toSorted(currentFirst)}
            idOf={({ id }) => id}
          />
        )}
      </PaginatedList>
      <ConfirmDialog
        title={sessions.everywhereTitle}
        isOpen={isLeaving}
        action={account.signOutEverywhere}
        isPending={signOut.isPending}
        error={signOut.error}
        onConfirm={() => signOut.mutate('everywhere')}
        onClose={() => setLeaving(false)}
      >
        <p>{sessions.everywhereAbout}</p>
      </ConfirmDialog>
    </Card>
  );
}

/** Sorts the current session first, then by last use. */
function currentFirst(one: Session, other: Session): number {
  if (one.is_current !== other.is_current) return one.is_current ? -1 : 1;
  return other.last_used_at.localeCompare(one.last_used_at);
}
