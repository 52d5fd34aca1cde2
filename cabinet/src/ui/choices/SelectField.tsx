import { Check, ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import field from '../fields/Field.module.css';
import styles from './SelectField.module.css';

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; text: string }[];
  onChange: (value: T) => void;
  /** Why it cannot be changed, or an explanation. */
  hint?: string;
  isDisabled?: boolean;
  fault?: string | null;
}

/** Selects one of a few options. */
export function SelectField<T extends string>({
  label,
  value,
  options,
  onChange,
  hint,
  isDisabled = false,
  fault = null,
}: Props<T>) {
  const chosen = (key: unknown): void => {
    const option = options.find((known) => known.value === key);
    if (option) onChange(option.value);
  };
  return (
    <Select
      className={field.field ?? ''}
      value={value}
      onChange={chosen}
      isDisabled={isDisabled}
      isInvalid={fault !== null}
      validationBehavior="aria"
    >
      <Label className={field.label ?? ''}>{label}</Label>
      <Button className={styles.button ?? ''}>
        <SelectValue />
        <ChevronDown aria-hidden size={16} />
      </Button>
      {hint !== undefined && (
        <Text slot="description" className={field.hint ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={field.fault ?? ''}>{fault}</FieldError>
      <Popover className={styles.popover ?? ''}>
        <ListBox className={styles.list ?? ''}>
          {options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} textValue={option.text} className={styles.option ?? ''}>
              {({ isSelected }) => (
                <>
                  <span>{option.text}</span>
                  {isSelected && <Check aria-hidden size={16} />}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
