import { Check } from 'lucide-react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import field from '../fields/Field.module.css';
import styles from './Checkboxes.module.css';

interface Props<T extends string> {
  label: string;
  value: readonly T[];
  options: readonly { value: T; text: string; hint?: string }[];
  onChange: (value: T[]) => void;
  /** Fault of the selection. */
  fault?: string | null;
}

/** Selects any number of a few options. */
export function Checkboxes<T extends string>({ label, value, options, onChange, fault = null }: Props<T>) {
  const choose = (chosen: readonly string[]): void =>
    onChange(options.map((option) => option.value).filter((one) => chosen.includes(one)));
  return (
    <CheckboxGroup
      className={field.field ?? ''}
      value={[...value]}
      onChange={choose}
      isInvalid={fault !== null}
      validationBehavior="aria"
    >
      <Label className={field.label ?? ''}>{label}</Label>
      {options.map(({ value: one, text, hint }) => (
        <Checkbox key={one} value={one} validationBehavior="aria" className={styles.option ?? ''}>
          <span className={styles.box} aria-hidden>
            <Check size={12} strokeWidth={3} />
          </span>
          <span className={styles.text}>
            {text}
            {hint !== undefined && <small className={styles.hint}>{hint}</small>}
          </span>
        </Checkbox>
      ))}
      <FieldError className={field.fault ?? ''}>{fault}</FieldError>
    </CheckboxGroup>
  );
}
