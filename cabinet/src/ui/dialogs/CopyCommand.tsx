import { useState } from 'react';
import { useWords } from '../../words/preferences.tsx';
import { Button } from '../buttons/Button.tsx';
import { Buttons } from '../buttons/Buttons.tsx';
import { Command } from './Command.tsx';

/** Shows lines to copy, with a copy button. */
export function CopyCommand({ text }: { text: string }) {
  const { secrets } = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <>
      <Command text={text} />
      {/* The clipboard API needs https or a local page. */}
      {'clipboard' in navigator && (
        <Buttons>
          <Button onPress={copy}>{isCopied ? secrets.copied : secrets.copy}</Button>
        </Buttons>
      )}
    </>
  );
}
