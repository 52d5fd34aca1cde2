import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField } from 'react-aria-components/TextField';
import styles from './Field.module.css';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  rows: number;
  hint: string;
  fault: string | null;
  isDisabled?: boolean;
}

/** Several lines of text. */
export function TextArea({ label, rows, hint, fault, ...props }: Props) {
  return (
    <TextField {...props} isInvalid={fault !== null} validationBehavior="aria" className={styles.field ?? ''}>
      <Label className={styles.label ?? ''}>{label}</Label>
      <AriaTextArea rows={rows} className={`${styles.input} ${styles.lines}`} />
      <Text slot="description" className={styles.hint ?? ''}>
        {hint}
      </Text>
      <FieldError className={styles.fault ?? ''}>{fault}</FieldError>
    </TextField>
  );
}
