import type { StoppedAt } from '../../../data/items/stoppedAt.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { reasonText } from '../../../words/reasonText.ts';

/** Shows that the list is limited to items whose analysis stopped at a step, with a button that clears the filter. */
export function StoppedNotice({ step, code, onClear }: StoppedAt & { onClear: () => void }) {
  const words = useWords();
  if (step === undefined) return null;
  const reason = code === undefined ? [] : [reasonText(words, code)];
  return (
    <Notice tone="warn" title={words.items.stoppedAt([words.steps[step], ...reason].join(' · '))}>
      <div>
        <Button onPress={onClear}>{words.items.clear}</Button>
      </div>
    </Notice>
  );
}
