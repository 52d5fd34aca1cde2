import { Check as Tick } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import styles from './Check.module.css';

interface Props {
  /** Its value in a group. */
  value?: string;
  isSelected?: boolean;
  isDisabled?: boolean;
  onChange?: (isSelected: boolean) => void;
  children: ReactNode;
}

/** A checkbox. */
export function Check({ children, ...props }: Props) {
  return (
    <Checkbox {...props} className={styles.check ?? ''}>
      <span className={styles.box}>
        <Tick aria-hidden size={14} strokeWidth={3} />
      </span>
      <span>{children}</span>
    </Checkbox>
  );
}
