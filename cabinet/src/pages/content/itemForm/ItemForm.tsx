/** The form that adds or edits an item. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { everyOf } from '../../../data/everyOf.ts';
import { ITEM_TYPES } from '../../../data/itemFilter.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultAt, faultOf } from '../../../data/rejectedFields.ts';
import { Button } from '../../../ui/Button.tsx';
import { Buttons } from '../../../ui/Buttons.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Check } from '../../../ui/Check.tsx';
import { Choice } from '../../../ui/Choice.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Form } from '../../../ui/Form.tsx';
import { LongField } from '../../../ui/LongField.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { isBlank, propertiesOf, withType, type ItemDraft, type ItemField, type TextField } from './itemDraft.ts';
import { MediaFields } from './MediaFields.tsx';

/** Names of fields on the server; the form has an input for each. */
const FIELDS = everyOf<ItemField>({
  type: true,
  title: true,
  description: true,
  body: true,
  author: true,
  url: true,
  published_at: true,
  properties: true,
  media: true,
  available: true,
});

interface Props {
  start: ItemDraft;
  /** A new item has no id yet, and may have any type. */
  isNew: boolean;
  action: string;
  /** Says in a sentence why nothing can be saved; null if it can. Text that is already typed stays. */
  refusal: string | null;
  /** Throws {@link IdTaken} if the id of a new item is in use. */
  onSubmit: (draft: ItemDraft) => Promise<unknown>;
  onCancel: () => void;
}

/** The id belongs to another item, which a PUT would replace. */
export class IdTaken extends Error {}

export function ItemForm({ start, isNew, action, refusal, onSubmit, onCancel }: Props) {
  const words = useWords();
  const { itemForm, dialogs } = words;
  const [draft, setDraft] = useState(start);
  const [isTried, setTried] = useState(false);
  const { mutate, reset, error, isPending } = useMutation({ mutationFn: onSubmit });
  const isIdTaken = error instanceof IdTaken;
  const set = (change: Partial<ItemDraft>): void => {
    reset();
    setDraft({ ...draft, ...change });
  };
  const submit = (): void => {
    setTried(true);
    if (propertiesOf(draft.properties) !== undefined && !isBlank(draft)) mutate(draft);
  };
  const text = (field: TextField) => ({
    label: itemForm[field],
    value: draft[field],
    onChange: (value: string) => set({ [field]: value }),
    fault: faultAt(error, field, words),
  });
  if (refusal !== null && draft === start) return <Notice tone="warn">{refusal}</Notice>;
  return (
    <Form onSubmit={submit} error={isIdTaken ? null : error} fields={FIELDS}>
      <Card title={itemForm.content}>
        <Choice
          label={itemForm.type}
          value={draft.type}
          isDisabled={!isNew}
          hint={isNew ? itemForm.typeHints[draft.type] : itemForm.typeStays}
          options={ITEM_TYPES.map((value) => ({ value, text: words.types[value] }))}
          onChange={(type) => set(withType(draft, type))}
          fault={faultAt(error, 'type', words)}
        />
        <Field
          {...text('title')}
          fault={isTried && isBlank(draft) ? itemForm.nothing : faultAt(error, 'title', words)}
          maxLength={limits.putProjectItem_title}
          autoFocus={isNew}
        />
        {draft.type !== 'text' && (
          <MediaFields type={draft.type} media={draft.media} error={error} onChange={(media) => set({ media })} />
        )}
        <LongField {...text('body')} rows={draft.type === 'text' ? 10 : 4} hint={itemForm.bodyHint} />
        <LongField {...text('description')} rows={2} hint={itemForm.descriptionHint} />
        <Check isSelected={draft.available} onChange={(available) => set({ available })}>
          {itemForm.available}
        </Check>
      </Card>
      <Card title={itemForm.more}>
        {isNew && (
          <Field
            label={itemForm.id}
            hint={itemForm.idHint}
            maxLength={limits.putProjectItem_item}
            value={draft.id}
            onChange={(id) => set({ id })}
            fault={isIdTaken ? itemForm.idTaken : null}
          />
        )}
        <Field {...text('url')} hint={itemForm.urlHint} inputMode="url" />
        <Field {...text('author')} hint={itemForm.authorHint} maxLength={limits.putProjectItem_author} />
        <Field
          label={itemForm.publishedAt}
          hint={itemForm.publishedHint}
          type="datetime-local"
          value={draft.publishedAt}
          onChange={(publishedAt) => set({ publishedAt })}
          fault={faultAt(error, 'published_at', words)}
        />
        <LongField
          label={itemForm.properties}
          hint={itemForm.propertiesHint}
          rows={3}
          value={draft.properties}
          onChange={(properties) => set({ properties })}
          fault={
            isTried && propertiesOf(draft.properties) === undefined
              ? itemForm.notJson
              : faultOf(error, 'properties', words)
          }
        />
      </Card>
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
