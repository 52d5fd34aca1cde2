import { Search } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../buttons/Button.tsx';
import { Field } from './Field.tsx';
import styles from './SearchField.module.css';

interface Props {
  label: string;
  maxLength: number;
  value: string | undefined;
  onSubmit: (text: string | undefined) => void;
}

/** A search field. It searches only on submission, because each search costs a database scan. */
export function SearchField({ label, maxLength, value = '', onSubmit }: Props) {
  const [text, setText] = useState(value);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit(text.trim() === '' ? undefined : text.trim());
  };
  return (
    // The label distinguishes two searches on a page.
    <form role="search" aria-label={label} className={styles.search} onSubmit={submit}>
      <Field label={label} type="search" maxLength={maxLength} value={text} onChange={setText} />
      <Button type="submit" aria-label={label}>
        <Search aria-hidden size={16} />
      </Button>
    </form>
  );
}
