import { X } from 'lucide-react';
import styles from './Chips.module.css';

export interface Chip {
  id: string;
  text: string;
  /** Opens it for editing. */
  onChange?: (() => void) | undefined;
  /** Label of the button that edits it. */
  changeLabel?: string;
  removeLabel: string;
  onRemove: () => void;
}

/** Shows selected values, each with a button that removes it. */
export function Chips({ label, chips }: { label: string; chips: readonly Chip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={label}>
      {chips.map(({ id, text, onChange, changeLabel, removeLabel, onRemove }) => (
        <li key={id} className={styles.chip}>
          {onChange ? (
            <button type="button" className={styles.text} aria-label={changeLabel} onClick={onChange}>
              {text}
            </button>
          ) : (
            <span className={styles.text}>{text}</span>
          )}
          <button type="button" aria-label={removeLabel} onClick={onRemove}>
            <X aria-hidden size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}
