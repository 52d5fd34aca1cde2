/** The fields of an item: its content, and everything else about it. */
import { Fragment, type ReactNode } from 'react';
import { ITEM_TYPES } from '../../../data/items/itemFilter.ts';
import { limits } from '../../../data/apiLimits.ts';
import type { ItemField, TextField } from '../../../data/itemFields.ts';
import { faultAt, faultOf } from '../../../data/rejectedFields.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { CodeArea } from '../../../ui/fields/CodeArea.tsx';
import type { Words } from '../../../words/en/index.ts';
import { useWords } from '../../../words/preferences.tsx';
import { isBlank, isDots, propertiesOf, withType, type ItemDraft } from './itemDraft.ts';
import { MediaFields } from './MediaFields.tsx';

interface Props {
  draft: ItemDraft;
  /** A new item has no id yet, and may have any type. */
  isNew: boolean;
  /** Whether saving was attempted; the form shows no faults of its own before that. */
  isTried: boolean;
  /** The server's error. */
  error: Error | null;
  onChange: (change: Partial<ItemDraft>) => void;
}

export function ContentFields({ draft, isNew, isTried, error, onChange }: Props) {
  const words = useWords();
  const { itemForm } = words;
  const text = textFieldsOf({ draft, error, onChange }, words);
  return (
    <Card title={itemForm.content}>
      <SelectField
        label={itemForm.type}
        value={draft.type}
        isDisabled={!isNew}
        hint={isNew ? itemForm.typeHints[draft.type] : itemForm.typeStays}
        options={ITEM_TYPES.map((value) => ({ value, text: words.types[value] }))}
        onChange={(type) => onChange(withType(draft, type))}
        fault={faultAt(error, 'type', words)}
      />
      <Field
        {...text('title')}
        fault={isTried && isBlank(draft) ? itemForm.nothing : faultAt(error, 'title', words)}
        maxLength={limits.putProjectItem_title}
        autoFocus={isNew}
      />
      {draft.type !== 'text' && (
        <MediaFields type={draft.type} media={draft.media} error={error} onChange={(media) => onChange({ media })} />
      )}
      <CodeArea {...text('body')} rows={draft.type === 'text' ? 10 : 4} hint={itemForm.bodyHint} />
      <CodeArea {...text('description')} rows={2} hint={itemForm.descriptionHint} />
      <Checkbox isSelected={draft.available} onChange={(available) => onChange({ available })}>
        {itemForm.available}
      </Checkbox>
    </Card>
  );
}

/** The fields whose inputs are in {@link ContentFields}. */
type ContentField = 'type' | 'title' | 'media' | 'body' | 'description' | 'available';

export function MoreFields({ draft, isNew, isTried, isIdTaken, error, onChange }: Props & { isIdTaken: boolean }) {
  const words = useWords();
  const { itemForm } = words;
  const text = textFieldsOf({ draft, error, onChange }, words);
  const isWrong = isTried && propertiesOf(draft.properties) === undefined;
  const inputs: Readonly<Record<Exclude<ItemField, ContentField>, ReactNode>> = {
    url: <Field {...text('url')} hint={itemForm.urlHint} inputMode="url" />,
    author: <Field {...text('author')} hint={itemForm.authorHint} maxLength={limits.putProjectItem_author} />,
    published_at: (
      <Field
        label={itemForm.publishedAt}
        hint={itemForm.publishedHint}
        type="datetime-local"
        value={draft.publishedAt}
        onChange={(publishedAt) => onChange({ publishedAt })}
        fault={faultAt(error, 'published_at', words)}
      />
    ),
    properties: (
      <CodeArea
        label={itemForm.properties}
        hint={itemForm.propertiesHint}
        rows={3}
        value={draft.properties}
        onChange={(properties) => onChange({ properties })}
        fault={isWrong ? itemForm.notJson : faultOf(error, 'properties', words)}
      />
    ),
  };
  return (
    <Card title={itemForm.more}>
      {isNew && (
        <Field
          label={itemForm.id}
          hint={itemForm.idHint}
          maxLength={limits.putProjectItem_item}
          value={draft.id}
          onChange={(id) => onChange({ id })}
          fault={isTried && isDots(draft) ? itemForm.idDots : isIdTaken ? itemForm.idTaken : null}
        />
      )}
      {Object.entries(inputs).map(([field, input]) => (
        <Fragment key={field}>{input}</Fragment>
      ))}
    </Card>
  );
}

/** Returns a function with the properties of the inputs of plain texts. */
function textFieldsOf({ draft, error, onChange }: Pick<Props, 'draft' | 'error' | 'onChange'>, words: Words) {
  return (field: TextField) => ({
    label: words.itemForm[field],
    value: draft[field],
    onChange: (value: string) => onChange({ [field]: value }),
    fault: faultAt(error, field, words),
  });
}
