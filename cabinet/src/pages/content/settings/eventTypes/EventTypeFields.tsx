/** Groups of the fields of an event type. */
import { FLAGS } from '../../../../data/project/eventTypes.ts';
import { faultOf } from '../../../../data/rejectedFields.ts';
import { Checkbox } from '../../../../ui/choices/Checkbox.tsx';
import { CheckList } from '../../../../ui/choices/CheckList.tsx';
import { SelectField } from '../../../../ui/choices/SelectField.tsx';
import { Field } from '../../../../ui/fields/Field.tsx';
import { Row } from '../../../../ui/fields/Form.tsx';
import { TextArea } from '../../../../ui/fields/TextArea.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import type { Draft } from './eventTypeDraft.ts';

interface Props {
  draft: Draft;
  /**
   * Returns why a field is wrong: the sentence if the form found the fault itself, otherwise the server's reason; null
   * if it is right.
   * @param sent the field's name on the server
   */
  fault: (field: keyof Draft, sent: string, sentence: string) => string | null;
  onChange: (change: Partial<Draft>) => void;
}

/** How events of the type are kept and what they say about an item. */
export function ValueFields({ draft, fault, onChange }: Props) {
  const { types, anyNumber } = useWords().settings;
  return (
    <>
      <Row>
        <SelectField
          label={types.mode}
          hint={types.fixed}
          value={draft.mode}
          options={optionsOf(types.modes)}
          onChange={(mode) => onChange({ mode })}
          fault={fault('mode', 'mode', '')}
        />
        <SelectField
          label={types.value}
          value={draft.value}
          options={optionsOf(types.values)}
          onChange={(value) => onChange({ value })}
          fault={fault('value', 'value_kind', '')}
        />
      </Row>
      <Field
        label={types.weight}
        hint={types.weightHint}
        inputMode="decimal"
        value={draft.weight}
        onChange={(weight) => onChange({ weight })}
        fault={fault('weight', 'weight', anyNumber)}
      />
      {draft.value !== 'none' && (
        <TextArea
          label={types.map}
          hint={types.mapHint}
          rows={4}
          value={draft.map}
          onChange={(map) => onChange({ map })}
          fault={fault('map', 'value_map', types.badMap)}
        />
      )}
    </>
  );
}

/** For how long a repeat is not counted, and similar items are not recommended. */
export function TimeFields({ draft, fault, onChange }: Props) {
  const { types, wholeNumber } = useWords().settings;
  return (
    <Row>
      <Field
        label={types.window}
        hint={types.windowHint}
        inputMode="numeric"
        value={draft.window}
        onChange={(window) => onChange({ window })}
        fault={fault('window', 'dedup_window_sec', wholeNumber)}
      />
      <Field
        label={types.suppress}
        inputMode="numeric"
        value={draft.suppress}
        onChange={(suppress) => onChange({ suppress })}
        fault={fault('suppress', 'suppress_similar_days', wholeNumber)}
      />
    </Row>
  );
}

/** Marks the type, for example as a purchase, and turns it on and off. */
export function FlagFields({ draft, error, onChange }: Pick<Props, 'draft' | 'onChange'> & { error: Error | null }) {
  const words = useWords();
  const { types } = words.settings;
  const flagFault = FLAGS.map((flag) => faultOf(error, flag, words)).find((found) => found !== null);
  return (
    <>
      <CheckList
        label={types.marks}
        options={FLAGS.map((value) => ({ value, text: types.flags[value] }))}
        value={draft.flags}
        onChange={(flags) => onChange({ flags: FLAGS.filter((flag) => flags.includes(flag)) })}
        fault={flagFault ?? null}
      />
      <Checkbox isSelected={draft.isActive} onChange={(isActive) => onChange({ isActive })}>
        {types.active}
      </Checkbox>
    </>
  );
}

function optionsOf<T extends string>(texts: Record<T, string>): { value: T; text: string }[] {
  return (Object.entries(texts) as [T, string][]).map(([value, text]) => ({ value, text }));
}
