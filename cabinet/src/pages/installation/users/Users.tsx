import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { cabinet } from '../../../data/client.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { usersQuery, type User } from '../../../data/account/users.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { SecretDialog } from '../../../ui/dialogs/SecretDialog.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { ChangeDialog } from './ChangeDialog.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { BlockOrDeleteDialog, type BlockOrDelete } from './BlockOrDeleteDialog.tsx';
import { UserTable } from './UserTable.tsx';
import { useAccessLinks } from './useAccessLinks.ts';
import { useUnblock } from './useUnblock.ts';

export function Users({ me }: { me: cabinet.Me }) {
  const { users } = useWords();
  const query = useInfiniteQuery(usersQuery);
  const [isInviting, setInviting] = useState(false);
  const [changed, setChanged] = useState<User | null>(null);
  const [action, setAction] = useState<BlockOrDelete | null>(null);
  const accessLinks = useAccessLinks();
  const unblock = useUnblock();
  /** Closes the dialog that invited or changed a user. */
  const finish = (user: cabinet.UserWithInvitation): void => {
    setInviting(false);
    setChanged(null);
    accessLinks.show(user);
    void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
  };
  const error = accessLinks.error ?? unblock.error;
  return (
    <Page
      title={users.title}
      actions={
        <Button kind="primary" onPress={() => setInviting(true)}>
          <UserPlus aria-hidden size={16} />
          {users.invite}
        </Button>
      }
    >
      {error && <Problem error={error} />}
      <PaginatedList query={query} empty={<Empty title={users.empty} />}>
        {(rows) => (
          <UserTable
            rows={rows}
            me={me}
            onChange={setChanged}
            onLink={accessLinks.link}
            onInvitation={accessLinks.invite}
            onUnblock={(user) => unblock.mutate(user)}
            onBlock={(user) => setAction({ user, how: 'block' })}
            onRemove={(user) => setAction({ user, how: 'remove' })}
          />
        )}
      </PaginatedList>
      {isInviting && <InviteDialog me={me} onClose={() => setInviting(false)} onInvited={finish} />}
      {changed && <ChangeDialog me={me} user={changed} onClose={() => setChanged(null)} onChanged={finish} />}
      <BlockOrDeleteDialog action={action} onClose={() => setAction(null)} />
      <SecretDialog
        title={accessLinks.shown?.title ?? ''}
        secret={accessLinks.shown?.address ?? null}
        onStored={accessLinks.hide}
      >
        <p>{accessLinks.shown?.about}</p>
      </SecretDialog>
    </Page>
  );
}
