/** The columns of a list of keys. */
import { useFormat } from '../../words/format.ts';
import { useWords } from '../../words/preferences.tsx';
import { Badge } from '../messages/Badge.tsx';
import { Button } from '../buttons/Button.tsx';
import { RowTitle, type Column } from '../tables/DataTable.tsx';

export interface Key {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

interface KeyColumnOptions<K extends Key> {
  isViewer: boolean;
  detailOf: (key: K) => string;
  columns: readonly Column<K>[];
  onRevoke: (key: K) => void;
}

export function useKeyColumns<K extends Key>({
  isViewer,
  detailOf,
  columns,
  onRevoke,
}: KeyColumnOptions<K>): Column<K>[] {
  const { keys } = useWords().settings;
  const format = useFormat();
  return [
    {
      key: 'name',
      title: keys.columns.name,
      cell: (key) => <RowTitle title={key.name} detail={detailOf(key)} />,
    },
    ...columns,
    { key: 'made', title: keys.columns.made, cell: (key) => format.moment(key.created_at) },
    {
      key: 'used',
      title: keys.columns.used,
      cell: ({ last_used_at: used }) => (used === null ? keys.never : format.moment(used)),
    },
    {
      key: 'state',
      title: keys.columns.state,
      cell: ({ revoked_at: revoked }) => (
        <Badge tone={revoked === null ? 'good' : 'quiet'}>{revoked === null ? keys.valid : keys.revoked}</Badge>
      ),
    },
    {
      key: 'actions',
      title: keys.columns.actions,
      kind: 'actions',
      cell: (key) =>
        key.revoked_at === null && (
          <Button
            kind="quiet"
            isDisabled={isViewer}
            aria-label={keys.revokeNamed(key.name)}
            onPress={() => onRevoke(key)}
          >
            {keys.revoke}
          </Button>
        ),
    },
  ];
}

/** Sorts valid keys first, then the latest. */
export function validFirst(one: Key, other: Key): number {
  const byState = Number(one.revoked_at !== null) - Number(other.revoked_at !== null);
  return byState === 0 ? other.created_at.localeCompare(one.created_at) : byState;
}
