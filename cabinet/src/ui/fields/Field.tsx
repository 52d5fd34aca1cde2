import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField, type TextFieldProps } from 'react-aria-components/TextField';
import { useWords } from '../../words/preferences.tsx';
import styles from './Field.module.css';

interface Props extends Omit<TextFieldProps, 'className' | 'children'> {
  label: string;
  /** Its fault, from the server or the form. */
  fault?: string | null;
  /** The allowed values, or why it cannot be changed. */
  hint?: string;
  /** The id of the suggestions. */
  list?: string;
}

/** A text input with its label, and its fault directly below it. */
export function Field({ label, fault = null, hint, list, ...props }: Props) {
  const { codes } = useWords().fieldErrors;
  return (
    // A browser does not submit a form with a field that is marked invalid, although the fault may be corrected by now.
    <TextField
      {...props}
      // If omitted, the browser's own validation applies, such as for an empty required field.
      {...(fault !== null && { isInvalid: true })}
      validationBehavior={fault === null ? 'native' : 'aria'}
      className={styles.field ?? ''}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      <Input list={list} className={styles.input ?? ''} />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.fault ?? ''}>
        {/* The browser's message would be in its own language, which may differ from that of the page. */}
        {({ validationDetails: found }) => fault ?? codes[found.valueMissing ? 'required' : 'invalid_value']}
      </FieldError>
    </TextField>
  );
}
