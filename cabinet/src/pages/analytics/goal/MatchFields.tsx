import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { ReportFields } from '../../../data/report/fields.ts';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Row } from '../../../ui/fields/Form.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { TopValues } from '../parts/filters/TopValues.tsx';
import { missing, OPS, type Draft } from './goalDraft.ts';

interface Props {
  site: string;
  fields: ReportFields;
  draft: Draft;
  /** The server's errors when it was saved and when it was tried. */
  errors: readonly (Error | null)[];
  /** Whether saving or trying was attempted; no faults are shown before that. */
  isChecked: boolean;
  onChange: (change: Partial<Draft>) => void;
}

/** Edits the condition of a goal: an address, an event or a form, with suggestions from the last 30 days. */
export function MatchFields(props: Props) {
  switch (props.draft.type) {
    case 'url':
      return <AddressFields {...props} />;
    case 'event':
      return <EventFields {...props} />;
    case 'form':
      return <FormFields {...props} />;
    case 'js':
    case 'purchase':
      return null;
  }
}

function AddressFields({ draft, isChecked, errors, onChange, ...known }: Props) {
  const { goal: text } = useWords();
  const { required, said } = useFaults({ draft, isChecked, errors });
  return (
    <>
      <Row>
        <SelectField
          label={text.op}
          value={draft.op}
          options={OPS.map((value) => ({ value, text: text.ops[value] }))}
          onChange={(op) => onChange({ op })}
          fault={said('op')}
        />
        <Field
          label={text.address}
          hint={text.addressHints[draft.op]}
          maxLength={limits.putGoal_match_value}
          value={draft.address}
          onChange={(address) => onChange({ address })}
          fault={required ?? (said('value') !== null && draft.op === 'regex' ? text.badPattern : said('value'))}
        />
      </Row>
      {draft.op !== 'regex' && (
        <Known {...known} dimension="page_path" value={draft.address} onTake={(address) => onChange({ address })} />
      )}
    </>
  );
}

function EventFields({ draft, isChecked, errors, onChange, ...known }: Props) {
  const { goal: text } = useWords();
  const { required, said } = useFaults({ draft, isChecked, errors });
  return (
    <>
      <Field
        label={text.event}
        maxLength={limits.putGoal_match_name}
        value={draft.event}
        onChange={(event) => onChange({ event })}
        fault={required ?? said('name')}
      />
      <Known {...known} dimension="event_name" value={draft.event} onTake={(event) => onChange({ event })} />
    </>
  );
}

function FormFields({ draft, isChecked, errors, onChange, ...known }: Props) {
  const { goal: text } = useWords();
  const { said } = useFaults({ draft, isChecked, errors });
  return (
    <>
      <Field
        label={text.form}
        hint={text.formHint}
        maxLength={limits.putGoal_match_form_id}
        value={draft.form}
        onChange={(form) => onChange({ form })}
        fault={said('form_id')}
      />
      <Known {...known} dimension="form_id" value={draft.form} onTake={(form) => onChange({ form })} />
    </>
  );
}

/** Returns the fault of a missing part, and a function that finds what the server said about a field. */
function useFaults({ draft, isChecked, errors }: Pick<Props, 'draft' | 'isChecked' | 'errors'>) {
  const words = useWords();
  const said = (field: string): string | null =>
    errors.map((error) => faultOf(error, `match.${field}`, words)).find((fault) => fault !== null) ?? null;
  const isMissing = isChecked && missing(draft).length > 0;
  return { required: isMissing ? (words.fieldErrors.codes['required'] ?? null) : null, said };
}

interface KnownProps extends Pick<Props, 'site' | 'fields'> {
  dimension: string;
  value: string;
  onTake: (value: string) => void;
}

function Known({ site, fields, dimension, value, onTake }: KnownProps) {
  return (
    <TopValues
      key={dimension}
      site={site}
      fields={fields}
      filter={{ dimension, op: 'eq', values: [value] }}
      onChange={({ values: [taken = ''] }) => onTake(taken)}
    />
  );
}
