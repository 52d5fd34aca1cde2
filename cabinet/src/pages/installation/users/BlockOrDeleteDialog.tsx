import { useMutation } from '@tanstack/react-query';
import { api } from '../../../data/client.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { usersQuery, type User } from '../../../data/account/users.ts';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** The user to block or delete, and which of the two. */
export interface BlockOrDelete {
  user: User;
  how: 'block' | 'remove';
}

/** Asks before a user is blocked or deleted. */
export function BlockOrDeleteDialog({ action, onClose }: { action: BlockOrDelete | null; onClose: () => void }) {
  const { users } = useWords();
  const shutOut = useMutation({
    mutationFn: async ({ user: { id }, how }: BlockOrDelete): Promise<void> => {
      if (how === 'remove') await api.deleteUser({ path: { id } });
      else await api.patchUser({ path: { id }, body: { state: 'blocked' } });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
      onClose();
    },
  });
  const close = (): void => {
    shutOut.reset();
    onClose();
  };
  const email = action?.user.email ?? '';
  const isInvitation = action?.user.state === 'invited';
  const texts =
    action?.how === 'block'
      ? { title: users.blockTitle(email), action: users.block, about: users.blockAbout }
      : {
          title: users.removeTitle(email),
          action: isInvitation ? users.removeInvitation : users.remove,
          about: isInvitation ? users.removeInvitationAbout : users.removeAbout,
        };
  return (
    <ConfirmDialog
      title={texts.title}
      isOpen={action !== null}
      action={texts.action}
      isPending={shutOut.isPending}
      error={shutOut.error}
      onConfirm={() => action && shutOut.mutate(action)}
      onClose={close}
    >
      <p>{texts.about}</p>
    </ConfirmDialog>
  );
}
