import { Plus } from 'lucide-react';
import { Button } from './Button.tsx';

/** The button beside the title of a list that creates an entry. */
export function NewButton({ text, isDisabled, onPress }: { text: string; isDisabled: boolean; onPress: () => void }) {
  return (
    <Button isDisabled={isDisabled} onPress={onPress}>
      <Plus aria-hidden size={16} />
      {text}
    </Button>
  );
}
