/** The form that adds or edits an item. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ITEM_FIELDS } from '../../../data/itemFields.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { isBlank, isDots, propertiesOf, type ItemDraft } from './itemDraft.ts';
import { ContentFields, MoreFields } from './ItemFields.tsx';

interface Props {
  start: ItemDraft;
  /** A new item has no id yet, and may have any type. */
  isNew: boolean;
  action: string;
  /** Says in a sentence why the item cannot be saved; null if it can. Text that is already typed stays. */
  refusal: string | null;
  /** Throws {@link IdTakenError} if the id of a new item is in use. */
  onSubmit: (draft: ItemDraft) => Promise<void>;
  /** Opens what comes next. Not called for a user who has opened another page meanwhile. */
  onSaved: (draft: ItemDraft) => void;
  onCancel: () => void;
}

/** The id belongs to another item, which a PUT would replace. */
export class IdTakenError extends Error {}

export function ItemForm({ start, isNew, action, refusal, onSubmit, onSaved, onCancel }: Props) {
  const { dialogs } = useWords();
  const [draft, setDraft] = useState(start);
  const [isTried, setTried] = useState(false);
  const { mutate, reset, error, isPending } = useMutation({ mutationFn: onSubmit });
  const isIdTaken = error instanceof IdTakenError;
  const set = (change: Partial<ItemDraft>): void => {
    // While it is being saved, a reset would also drop what follows: `onSaved`.
    if (!isPending) reset();
    setDraft((former) => ({ ...former, ...change }));
  };
  const submit = (): void => {
    setTried(true);
    if (propertiesOf(draft.properties) === undefined || isBlank(draft) || isDots(draft)) return;
    mutate(draft, { onSuccess: () => onSaved(draft) });
  };
  if (refusal !== null && draft === start) return <Notice tone="warn">{refusal}</Notice>;
  const fields = { draft, isNew, isTried, error, onChange: set };
  return (
    <Form onSubmit={submit} error={isIdTaken ? null : error} fields={ITEM_FIELDS}>
      <ContentFields {...fields} />
      <MoreFields {...fields} isIdTaken={isIdTaken} />
      {refusal !== null && <Notice tone="warn">{refusal}</Notice>}
      <Buttons>
        <Button kind="primary" type="submit" isPending={isPending} isDisabled={refusal !== null}>
          {action}
        </Button>
        <Button onPress={onCancel}>{dialogs.cancel}</Button>
      </Buttons>
    </Form>
  );
}
