import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField, type TextFieldProps } from 'react-aria-components/TextField';
import field from './Field.module.css';
import styles from './CodeArea.module.css';

interface Props extends Omit<TextFieldProps, 'className' | 'children'> {
  label: string;
  hint?: string;
  rows: number;
  fault?: string | null;
}

/** An input for several lines of text that a program wrote, such as headers or JSON, without a spelling check. */
export function CodeArea({ label, hint, rows, fault = null, ...props }: Props) {
  return (
    <TextField {...props} isInvalid={fault !== null} validationBehavior="aria" className={field.field ?? ''}>
      <Label className={field.label ?? ''}>{label}</Label>
      <TextArea rows={rows} spellCheck="false" className={`${field.input} ${styles.area}`} />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={field.fault ?? ''}>{fault}</FieldError>
    </TextField>
  );
}
