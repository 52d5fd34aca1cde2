import { useState, type ReactNode } from 'react';
import { useWords } from '../../words/preferences.tsx';
import { Button } from '../buttons/Button.tsx';
import { Buttons } from '../buttons/Buttons.tsx';
import { Modal } from './Modal.tsx';
import { Problem } from '../messages/Problem.tsx';

interface Props {
  title: string;
  isOpen: boolean;
  /** Label of the button: the action itself, not "yes". */
  action: string;
  onConfirm: () => void;
  onClose: () => void;
  isPending?: boolean;
  error?: Error | null;
  /** Explains the consequences. */
  children: ReactNode;
}

/** Asks before an irreversible action. */
export function ConfirmDialog({ title, isOpen, action, onConfirm, onClose, isPending, error = null, children }: Props) {
  const { dialogs } = useWords();
  // An error of the last time, perhaps about something else, is not shown when the dialog opens again.
  const [former, setFormer] = useState<Error | null>(null);
  if (!isOpen && former !== error) setFormer(error);
  return (
    <Modal title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      {error && error !== former && <Problem error={error} />}
      <Buttons>
        <Button kind="danger" isPending={isPending ?? false} onPress={onConfirm}>
          {action}
        </Button>
        <Button onPress={onClose}>{dialogs.cancel}</Button>
      </Buttons>
    </Modal>
  );
}
