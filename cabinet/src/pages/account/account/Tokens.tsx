import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { tokensQuery, type Token } from '../../../data/account/account.ts';
import { api } from '../../../data/client.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NewButton } from '../../../ui/buttons/NewButton.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { SecretDialog } from '../../../ui/dialogs/SecretDialog.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { TokenDialog } from './TokenDialog.tsx';
import { TokenTable } from './TokenTable.tsx';

/** Shows the tokens with which scripts act as the user. A new one is shown once. */
export function Tokens() {
  const { profile } = useWords();
  const { tokens } = profile;
  const query = useInfiniteQuery(tokensQuery);
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const revoke = useMutation({
    mutationFn: ({ id }: Token) => api.revokeToken({ path: { id } }),
    onSuccess: async () => {
      await refresh();
      setRevoking(null);
    },
  });
  return (
    <Card
      title={tokens.title}
      aside={<NewButton text={tokens.make} isDisabled={false} onPress={() => setMaking(true)} />}
    >
      <Hint>{tokens.about}</Hint>
      <PaginatedList query={query} empty={<p>{tokens.empty}</p>}>
        {(rows) => <TokenTable rows={rows} onRevoke={setRevoking} />}
      </PaginatedList>
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
        title={tokens.revokeTitle(revoking?.name ?? '')}
        isOpen={revoking !== null}
        action={tokens.revoke}
        isPending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate(revoking)}
        onClose={() => setRevoking(null)}
      >
        <p>{tokens.revokeAbout}</p>
      </ConfirmDialog>
    </Card>
  );
}
