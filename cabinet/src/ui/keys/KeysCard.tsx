import { useMutation, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useWords } from '../../words/preferences.tsx';
import { Card } from '../layout/Card.tsx';
import { ConfirmDialog } from '../dialogs/ConfirmDialog.tsx';
import { DataTable, type Column } from '../tables/DataTable.tsx';
import { Hint } from '../messages/Hint.tsx';
import { NewButton } from '../buttons/NewButton.tsx';
import { PaginatedList } from '../tables/PaginatedList.tsx';
import { SecretDialog } from '../dialogs/SecretDialog.tsx';
import { KeyDialog } from './KeyDialog.tsx';
import { useKeyColumns, validFirst, type Key } from './keyColumns.tsx';

interface Props<K extends Key> {
  query: UseInfiniteQueryResult<K[]>;
  isViewer: boolean;
  /** Texts about the purpose of the keys, for an empty list, and for the maximum number of keys. */
  texts: { about: string; empty: string; full: string };
  /** Returns a detail that identifies a key beside its name. */
  detailOf: (key: K) => string;
  /** Columns between the name and the times. */
  columns?: readonly Column<K>[];
  make: (name: string) => Promise<string | null>;
  /** Additional fields for a new key. */
  asked?: ReactNode;
  revoke: (key: K) => Promise<unknown>;
  /** Returns the consequences of revoking a key, if they are unusual. */
  revokeAbout?: (key: K) => string | null;
  /** Refreshes everything that shows the keys. */
  refresh: () => Promise<unknown>;
}

/** Lists the keys of a project or a site. A new one is shown once. */
export function KeysCard<K extends Key>(props: Props<K>) {
  const { query, isViewer, texts, detailOf, columns = [], make, asked, refresh, revokeAbout } = props;
  const words = useWords();
  const { keys } = words.settings;
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<K | null>(null);
  const revoke = useMutation({
    mutationFn: (key: K) => props.revoke(key),
    onSuccess: async () => {
      await refresh();
      setRevoking(null);
    },
  });
  const shown = useKeyColumns({ isViewer, detailOf, columns, onRevoke: setRevoking });
  return (
    <Card
      title={keys.title}
      aside={<NewButton text={keys.make} isDisabled={isViewer} onPress={() => setMaking(true)} />}
    >
      <Hint>{isViewer ? words.refusals.owner : texts.about}</Hint>
      <PaginatedList query={query} empty={<p>{texts.empty}</p>}>
        {(rows) => (
          <DataTable label={keys.title} columns={shown} rows={rows.toSorted(validFirst)} idOf={({ id }) => id} />
        )}
      </PaginatedList>
      {isMaking && (
        <KeyDialog
          make={make}
          full={texts.full}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setSecret(key);
            void refresh();
          }}
        >
          {asked}
        </KeyDialog>
      )}
      <SecretDialog title={keys.made} secret={secret} onStored={() => setSecret(null)} />
      <ConfirmDialog
        title={keys.revokeTitle(revoking?.name ?? '')}
        isOpen={revoking !== null}
        action={keys.revoke}
        isPending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate(revoking)}
        onClose={() => setRevoking(null)}
      >
        <p>{(revoking && revokeAbout?.(revoking)) ?? keys.revokeAbout}</p>
      </ConfirmDialog>
    </Card>
  );
}
