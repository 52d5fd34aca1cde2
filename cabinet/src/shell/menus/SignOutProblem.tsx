import { AttuneError } from '../../data/client.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Buttons } from '../../ui/buttons/Buttons.tsx';
import { Modal } from '../../ui/dialogs/Modal.tsx';
import { Problem } from '../../ui/messages/Problem.tsx';
import { useWords } from '../../words/preferences.tsx';
import type { useSignOut } from './useSignOut.ts';

/** Says that signing out has failed: the session goes on, here or on the other devices. */
export function SignOutProblem({
  signOut: { error, variables, mutate, reset },
}: {
  signOut: ReturnType<typeof useSignOut>;
}) {
  const { account, dialogs } = useWords();
  const isOver = error instanceof AttuneError && error.status === 401;
  if (error === null || isOver) return null;
  return (
    <Modal title={account.signOut} isOpen onClose={reset}>
      <Problem error={error} onRetry={() => variables && mutate(variables)} />
      <Buttons>
        <Button onPress={reset}>{dialogs.cancel}</Button>
      </Buttons>
    </Modal>
  );
}
