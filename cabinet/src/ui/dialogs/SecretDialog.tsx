import { useState, type ReactNode } from 'react';
import { useWords } from '../../words/preferences.tsx';
import { Button } from '../buttons/Button.tsx';
import { Buttons } from '../buttons/Buttons.tsx';
import { Command } from './Command.tsx';
import { Modal } from './Modal.tsx';

interface Props {
  title: string;
  /** Null if the dialog is closed. */
  secret: string | null;
  /** The secret is lost permanently after this. */
  onStored: () => void;
  /** Explains its purpose. */
  children?: ReactNode;
}

/** Shows a secret once; the dialog stays until the user confirms that it is stored. */
export function SecretDialog({ title, secret, onStored, children }: Props) {
  const { secrets } = useWords();
  const [copied, setCopied] = useState<string | null>(null);
  const copy = (text: string): void =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => undefined,
    );
  return (
    <Modal title={title} isOpen={secret !== null} onClose={onStored} isDismissable={false}>
      {children}
      <p>{secrets.once}</p>
      {secret !== null && <Command text={secret} />}
      <Buttons>
        <Button kind="primary" onPress={onStored}>
          {secrets.stored}
        </Button>
        {/* The clipboard API needs https or a local page. */}
        {secret !== null && 'clipboard' in navigator && (
          <Button onPress={() => copy(secret)}>{copied === secret ? secrets.copied : secrets.copy}</Button>
        )}
      </Buttons>
    </Modal>
  );
}
