import type { FormEvent } from 'react';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Command } from '../../../ui/dialogs/Command.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import type { Fault } from './SignInPage.tsx';
import styles from './SignInPage.module.css';

export interface SignInFields {
  email: string;
  password: string;
  code: string;
}

interface Props {
  fields: SignInFields;
  onChange: (fields: SignInFields) => void;
  onSubmit: (event: FormEvent) => void;
  fault: Fault;
  error: Error | null;
  /** Whether the page was opened by a link, and whether that link is still valid. */
  link: 'none' | 'good' | 'over';
  isBusy: boolean;
}

export function SignInForm({ fields, onChange, onSubmit, fault, error, link, isBusy }: Props) {
  const { signIn: words } = useWords();
  const needsCode = fault === 'code_required' || fault === 'code_wrong' || fields.code !== '';
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {link === 'over' && (
        <div role="alert" className={styles.notice}>
          <p>{words.linkOver}</p>
          <p>{words.newLink}</p>
          <Command text="npm run admin -- user link --email admin@localhost" />
        </div>
      )}
      {fault === 'wrong' && link === 'none' && (
        <p role="alert" className={styles.wrong}>
          {words.wrong}
        </p>
      )}
      {fault === 'other' && error && <Problem error={error} />}
      {link !== 'good' && (
        <>
          <Field
            label={words.email}
            type="email"
            autoComplete="username"
            isRequired
            autoFocus
            value={fields.email}
            onChange={(email) => onChange({ ...fields, email })}
          />
          <Field
            label={words.password}
            type="password"
            autoComplete="current-password"
            isRequired
            value={fields.password}
            onChange={(password) => onChange({ ...fields, password })}
          />
        </>
      )}
      {needsCode && (
        <Field
          label={words.code}
          autoComplete="one-time-code"
          isRequired
          autoFocus
          fault={fault === 'code_wrong' ? words.wrongCode : null}
          value={fields.code}
          onChange={(code) => onChange({ ...fields, code })}
        />
      )}
      <Button kind="primary" type="submit" isPending={isBusy}>
        {words.submit}
      </Button>
    </form>
  );
}
