import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  isPending: boolean;
  isSaved: boolean;
  /** The reason why it cannot be changed; null if it can. */
  refusal: string | null;
}

/** The last row of a settings form. */
export function SaveRow({ isPending, isSaved, refusal }: Props) {
  const { settings } = useWords();
  return (
    <>
      <Buttons>
        <Button kind="primary" type="submit" isDisabled={refusal !== null} isPending={isPending}>
          {settings.save}
        </Button>
      </Buttons>
      {refusal !== null && <Hint>{refusal}</Hint>}
      {isSaved && <p role="status">{settings.saved}</p>}
    </>
  );
}
