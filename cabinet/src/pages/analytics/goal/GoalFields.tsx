/** The name of a goal, and what it is worth. */
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { Field } from '../../../ui/fields/Field.tsx';
import { useWords } from '../../../words/preferences.tsx';
import type { Draft, WrongField } from './goalDraft.ts';

interface Props {
  draft: Draft;
  /** Returns whether the form itself has found this fault and shows it. */
  isWrong: (fault: WrongField) => boolean;
  /** The server's error. */
  error: Error | null;
  onChange: (change: Partial<Draft>) => void;
}

/** Edits the title, and the code of a new goal; a saved code cannot be changed. */
export function NameFields({ isNew, draft, isWrong, error, onChange }: Props & { isNew: boolean }) {
  const words = useWords();
  const { goal: text, fieldErrors } = words;
  const required = fieldErrors.codes['required'] ?? null;
  const titleFault = (): string | null => {
    if (isWrong('title')) return required;
    return faultOf(error, '', words) === null ? faultOf(error, 'title', words) : text.full;
  };
  const codeFault = (): string | null => {
    if (isWrong('code')) return draft.code === '' ? required : text.badCode;
    return isWrong('taken') ? text.takenCode : null;
  };
  return (
    <>
      <Field
        label={text.name}
        hint={text.nameHint}
        maxLength={limits.putGoal_title}
        value={draft.title}
        onChange={(title) => onChange({ title })}
        fault={titleFault()}
      />
      <Field
        label={text.code}
        hint={isNew ? text.codeHint : text.codeFixed}
        maxLength={limits.listVisitors_goal}
        isDisabled={!isNew}
        value={draft.code}
        onChange={(code) => onChange({ code })}
        fault={codeFault()}
      />
    </>
  );
}

export function ValueField({ currency, draft, isWrong, error, onChange }: Props & { currency: string }) {
  const words = useWords();
  const { goal: text } = words;
  return (
    <Field
      label={text.value(currency)}
      hint={draft.type === 'purchase' ? text.purchaseValueHint : text.valueHint}
      inputMode="decimal"
      maxLength={24}
      value={draft.value}
      onChange={(value) => onChange({ value })}
      fault={isWrong('value') ? text.badValue : faultOf(error, 'value', words)}
    />
  );
}
