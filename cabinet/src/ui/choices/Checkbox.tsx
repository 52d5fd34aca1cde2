import { Check as Tick } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import styles from './Checkbox.module.css';

interface Props {
  /** Its value in a group. */
  value?: string;
  isSelected?: boolean;
  isDisabled?: boolean;
  onChange?: (isSelected: boolean) => void;
  children: ReactNode;
}

/** A checkbox. */
export function Checkbox({ children, ...props }: Props) {
  return (
    <AriaCheckbox {...props} className={styles.check ?? ''}>
      <span className={styles.box}>
        <Tick aria-hidden size={14} strokeWidth={3} />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}
