import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { isAboutFields } from '../../data/rejectedFields.ts';
import { Problem } from '../messages/Problem.tsx';
import { isBeingSent } from './isBeingSent.ts';
import styles from './Form.module.css';

interface Props {
  onSubmit: () => void;
  /** The server's error. */
  error?: Error | null;
  /** The fields whose faults the form shows beside them, by their names on the server. */
  fields?: readonly string[];
  children: ReactNode;
}

/** Arranges fields vertically. Faults of fields are shown beside them, other errors at the top. */
export function Form({ onSubmit, error = null, fields = [], children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  // Handles the server's faults; the form's own faults are shown directly after submission.
  useEffect(() => {
    if (error) showFault(form.current);
  }, [error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBeingSent(form.current)) return;
    onSubmit();
    requestAnimationFrame(() => showFault(form.current));
  };
  return (
    // The form validates its fields itself, with messages in the language of the page, which browsers do not offer.
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {error && !isAboutFields(error, fields) && <Problem error={error} />}
      {children}
    </form>
  );
}

/** Scrolls to the first fault and focuses it, because a form may be longer than the screen. */
function showFault(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]');
  if (first?.matches('[role=alert]')) first.scrollIntoView({ block: 'nearest' });
  else first?.focus();
}

/** Arranges fields side by side if there is room. */
export function Row({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
