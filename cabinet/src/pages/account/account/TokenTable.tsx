import type { Token } from '../../../data/account/account.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  rows: readonly Token[];
  onRevoke: (token: Token) => void;
}

/** Lists tokens, the valid ones first. */
export function TokenTable({ rows, onRevoke }: Props) {
  const { tokens } = useWords().profile;
  const format = useFormat();
  const columns: Column<Token>[] = [
    {
      key: 'name',
      title: tokens.columns.name,
      cell: ({ name, prefix }) => <RowTitle title={name} detail={`${prefix}…`} />,
    },
    { key: 'made', title: tokens.columns.made, cell: (token) => format.moment(token.created_at) },
    {
      key: 'used',
      title: tokens.columns.used,
      cell: ({ last_used_at: used }) => (used === null ? tokens.never : format.moment(used)),
    },
    { key: 'ends', title: tokens.columns.ends, cell: (token) => format.moment(token.expires_at) },
    {
      key: 'state',
      title: tokens.columns.state,
      cell: (token) => <Badge tone={stateOf(token) === 'valid' ? 'good' : 'quiet'}>{tokens[stateOf(token)]}</Badge>,
    },
    {
      key: 'actions',
      title: tokens.columns.actions,
      kind: 'actions',
      cell: (token) =>
        stateOf(token) === 'valid' && (
          <Button kind="quiet" aria-label={tokens.revokeNamed(token.name)} onPress={() => onRevoke(token)}>
            {tokens.revoke}
          </Button>
        ),
    },
  ];
  return <DataTable label={tokens.title} columns={columns} rows={rows.toSorted(validFirst)} idOf={({ id }) => id} />;
}

type State = 'valid' | 'revoked' | 'over';

function stateOf({ revoked_at: revokedAt, expires_at: end }: Token): State {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(end) > Date.now() ? 'valid' : 'over';
}

/** Sorts valid tokens first, then the latest. */
function validFirst(one: Token, other: Token): number {
  const byState = Number(stateOf(one) !== 'valid') - Number(stateOf(other) !== 'valid');
  return byState === 0 ? other.created_at.localeCompare(one.created_at) : byState;
}
