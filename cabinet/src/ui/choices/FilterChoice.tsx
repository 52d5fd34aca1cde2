import { SelectField } from './SelectField.tsx';

interface Props<T extends string> {
  label: string;
  /** Name of the option for all. */
  any: string;
  /** A value without a name is shown unchanged. */
  names: Readonly<Partial<Record<T, string>>>;
  known: readonly T[];
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}

/** Stands for all values: no code or name is an empty text. */
const ANY = '';

/** Filters a list by one of a few values, or shows all. */
export function FilterChoice<T extends string>({ label, any, names, known, value, onChange }: Props<T>) {
  const options = [
    { value: ANY, text: any },
    ...known.map((one) => ({ value: one as string, text: names[one] ?? one })),
  ];
  return (
    <SelectField
      label={label}
      value={value ?? ANY}
      options={options}
      onChange={(chosen) => onChange(known.find((one) => one === chosen))}
    />
  );
}
