import type { ReportFields } from '../../../../data/report/reportFields.ts';
import { isPlainPattern } from '../../../../data/report/plainPattern.ts';
import { OPS, type Filter } from '../../../../data/report/reportAddress.ts';
import { SelectField } from '../../../../ui/choices/SelectField.tsx';
import { Field } from '../../../../ui/fields/Field.tsx';
import { CodeArea } from '../../../../ui/fields/CodeArea.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import type { Words } from '../../../../words/en/index.ts';
import { TopValues } from './TopValues.tsx';

interface Props {
  site: string;
  fields: ReportFields;
  filter: Filter;
  onChange: (filter: Filter) => void;
  /** Whether sending was attempted; no faults are shown before that. */
  isTried: boolean;
}

/** Edits the operator and the values of a filter. */
export function FilterFields({ site, fields, filter, onChange, isTried }: Props) {
  const words = useWords();
  const { filter: text } = words.report;
  const { op, values } = filter;
  const fault = isTried ? faultOfFilter(filter, fields, words) : null;
  return (
    <>
      <SelectField
        label={text.op}
        value={op}
        options={OPS.map((value) => ({ value, text: text.ops[value] }))}
        onChange={(next) => onChange({ ...filter, op: next, values: next === 'in' ? values : values.slice(0, 1) })}
      />
      {op === 'in' ? (
        <CodeArea
          label={text.values}
          rows={5}
          value={values.join('\n')}
          onChange={(lines) => onChange({ ...filter, values: linesOf(lines) })}
          hint={text.codes}
          fault={fault}
        />
      ) : (
        <Field
          label={text.value}
          maxLength={MAX_VALUE_LENGTH}
          value={values[0] ?? ''}
          onChange={(value) => onChange({ ...filter, values: [value] })}
          hint={op === 'regex' ? text.pattern : text.codes}
          fault={fault}
        />
      )}
      {op !== 'regex' && <TopValues site={site} fields={fields} filter={filter} onChange={onChange} />}
    </>
  );
}

const MAX_VALUE_LENGTH = 2_000;

/** The last line may be empty, because the next value is about to be typed. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Returns the filter for the request, without empty lines. */
export function trimmedFilter(filter: Filter): Filter {
  return filter.op === 'in' ? { ...filter, values: filter.values.filter((value) => value !== '') } : filter;
}

/** Returns the fault of a filter in words. */
export function faultOfFilter(filter: Filter, { limits }: ReportFields, { report }: Words): string | null {
  const { op, values } = trimmedFilter(filter);
  if (values.length === 0 || values[0] === '') return report.filter.empty;
  if (values.length > limits.filter_values) return report.filter.tooMany(limits.filter_values);
  return op === 'regex' && !values.every(isPlainPattern) ? report.filter.badPattern : null;
}
