import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Checkbox } from './Checkbox.tsx';
import field from '../fields/Field.module.css';
import styles from './Checkbox.module.css';

interface Props {
  label: string;
  options: readonly { value: string; text: string }[];
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** Text shown if there are no options. */
  none?: string;
  fault?: string | null;
}

/** Selects any number of options. */
export function CheckList({ label, options, value, onChange, none, fault = null }: Props) {
  return (
    <CheckboxGroup
      className={styles.group ?? ''}
      value={[...value]}
      onChange={onChange}
      isInvalid={fault !== null}
      validationBehavior="aria"
    >
      <Label className={field.label ?? ''}>{label}</Label>
      <div className={styles.options}>
        {options.map((option) => (
          <Checkbox key={option.value} value={option.value}>
            {option.text}
          </Checkbox>
        ))}
        {options.length === 0 && <span className={styles.none}>{none}</span>}
      </div>
      <FieldError className={field.fault ?? ''}>{fault}</FieldError>
    </CheckboxGroup>
  );
}
