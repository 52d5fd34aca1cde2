import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
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
  wasSubmitted: boolean;
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

function AddressFields({ draft, wasSubmitted, errors, onChange, ...known }: Props) {
  const { goal: text } = useWords();
  const { required, serverFault } = useFaults({ draft, wasSubmitted, errors });
  return (
    <>
      <Row>
        <SelectField
          label={text.op}
          value={draft.op}
          options={OPS.map((value) => ({ value, text: text.ops[value] }))}
          onChange={(op) => onChange({ op })}
          fault={serverFault('op')}
        />
        <Field
          label={text.address}
          hint={text.addressHints[draft.op]}
          maxLength={limits.putGoal_match_value}
          value={draft.address}
          onChange={(address) => onChange({ address })}
          fault={
            required ?? (serverFault('value') !== null && draft.op === 'regex' ? text.badPattern : serverFault('value'))
          }
        />
      </Row>
      {draft.op !== 'regex' && (
        <Suggestions
          {...known}
          dimension="page_path"
          value={draft.address}
          onSelect={(address) => onChange({ address })}
        />
      )}
    </>
  );
}

function EventFields({ draft, wasSubmitted, errors, onChange, ...known }: Props) {
  const { goal: text } = useWords();
  const { required, serverFault } = useFaults({ draft, wasSubmitted, errors });
  return (
    <>
      <Field
        label={text.event}
        maxLength={limits.putGoal_match_name}
        value={draft.event}
        onChange={(event) => onChange({ event })}
        fault={required ?? serverFault('name')}
      />
      <Suggestions {...known} dimension="event_name" value={draft.event} onSelect={(event) => onChange({ event })} />
    </>
  );
}

function FormFields({ draft, wasSubmitted, errors, onChange, ...known }: Props) {
  const { goal: text } = useWords();
  const { serverFault } = useFaults({ draft, wasSubmitted, errors });
  return (
    <>
      <Field
        label={text.form}
        hint={text.formHint}
        maxLength={limits.putGoal_match_form_id}
        value={draft.form}
        onChange={(form) => onChange({ form })}
        fault={serverFault('form_id')}
      />
      <Suggestions {...known} dimension="form_id" value={draft.form} onSelect={(form) => onChange({ form })} />
    </>
  );
}

/** Returns the fault of a missing part, and a function that finds what the server said about a field. */
function useFaults({ draft, wasSubmitted, errors }: Pick<Props, 'draft' | 'wasSubmitted' | 'errors'>) {
  const words = useWords();
  const serverFault = (field: string): string | null =>
    errors.map((error) => faultOf(error, `match.${field}`, words)).find((fault) => fault !== null) ?? null;
  const isMissing = wasSubmitted && missing(draft).length > 0;
  return { required: isMissing ? (words.fieldErrors.codes['required'] ?? null) : null, serverFault };
}

interface SuggestionsProps extends Pick<Props, 'site' | 'fields'> {
  dimension: string;
  value: string;
  onSelect: (value: string) => void;
}

function Suggestions({ site, fields, dimension, value, onSelect }: SuggestionsProps) {
  return (
    <TopValues
      key={dimension}
      site={site}
      fields={fields}
      filter={{ dimension, op: 'eq', values: [value] }}
      onChange={({ values: [taken = ''] }) => onSelect(taken)}
    />
  );
}
