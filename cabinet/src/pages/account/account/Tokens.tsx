import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { tokensQuery, type Token } from '../../../data/account.ts';
import { api } from '../../../data/client.ts';
import { queryClient } from '../../../data/queryClient.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/DataTable.tsx';
import { Hint } from '../../../ui/Hint.tsx';
import { NewButton } from '../../../ui/NewButton.tsx';
import { Paged } from '../../../ui/Paged.tsx';
import { SecretDialog } from '../../../ui/SecretDialog.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { TokenDialog } from './TokenDialog.tsx';

type State = 'valid' | 'revoked' | 'over';

function stateOf({ revoked_at: revokedAt, expires_at: end }: Token): State {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(end) > Date.now() ? 'valid' : 'over';
}

/** Shows the tokens with which scripts act as the user. A new one is shown once. */
export function Tokens() {
  const { profile } = useWords();
  const { tokens } = profile;
  const format = useFormat();
  const query = useInfiniteQuery(tokensQuery);
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<Token | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const revoke = useMutation({
    mutationFn: ({ id }: Token) => api.revokeToken({ path: { id } }),
    onSuccess: async () => {
      await refresh();
      setLeaving(null);
    },
  });
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
          <Button kind="quiet" aria-label={tokens.revokeNamed(token.name)} onPress={() => setLeaving(token)}>
            {tokens.revoke}
          </Button>
        ),
    },
  ];
  return (
    <Card
      title={tokens.title}
      aside={<NewButton text={tokens.make} isDisabled={false} onPress={() => setMaking(true)} />}
    >
      <Hint>{tokens.about}</Hint>
      <Paged query={query} empty={<p>{tokens.empty}</p>}>
        {(rows) => (
          <DataTable label={tokens.title} columns={columns} rows={rows.toSorted(validFirst)} idOf={({ id }) => id} />
        )}
      </Paged>
      {isMaking && (
        <TokenDialog
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setSecret(token);
            void refresh();
          }}
        />
      )}
      <SecretDialog title={tokens.made} secret={secret} onStored={() => setSecret(null)} />
      <ConfirmDialog
        title={tokens.revokeTitle(leaving?.name ?? '')}
        isOpen={leaving !== null}
        action={tokens.revoke}
        isPending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => leaving && revoke.mutate(leaving)}
        onClose={() => setLeaving(null)}
      >
        <p>{tokens.revokeAbout}</p>
      </ConfirmDialog>
    </Card>
  );
}

/** Sorts valid tokens first, then the latest. */
function validFirst(one: Token, other: Token): number {
  const byState = Number(stateOf(one) !== 'valid') - Number(stateOf(other) !== 'valid');
  return byState === 0 ? other.created_at.localeCompare(one.created_at) : byState;
}
