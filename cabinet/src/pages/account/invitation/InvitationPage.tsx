/** An invited user sets the password here. The secret is in the fragment of the address. */
import { useEffect, useState } from 'react';
import { AttuneError, api } from '../../../data/client.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { faultOfPassword } from '../../../data/newPassword.ts';
import { takeSecret } from '../../../shell/secretInAddress.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { NewPasswordFields } from '../../../ui/fields/NewPasswordFields.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './InvitationPage.module.css';

const SECRET = /^#(ai_[A-Za-z0-9]{40})$/;

type Step = { at: 'form' | 'sending' | 'accepted' | 'over' } | { at: 'fault'; error: Error };

export function InvitationPage() {
  const { app, invitation: words } = useWords();
  const [secret, setSecret] = useState(() => takeSecret(SECRET));
  const [step, setStep] = useState<Step>({ at: 'form' });
  useEffect(() => {
    document.title = `${words.title} · ${app.title}`;
  }, [words.title, app.title]);
  useEffect(() => {
    // Takes another invitation that was pasted while this page was open.
    const take = (): void => {
      const other = takeSecret(SECRET);
      if (other === null) return;
      setSecret(other);
      setStep({ at: 'form' });
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  const accept = (invitation: string, password: string): void => {
    setStep({ at: 'sending' });
    api.acceptInvitation({ body: { invitation, password } }).then(
      () => setStep({ at: 'accepted' }),
      (error: unknown) => setStep(stepOf(error instanceof Error ? error : new Error(String(error)))),
    );
  };
  return (
    <main className={styles.page}>
      <h1>{words.title}</h1>
      {step.at === 'accepted' && (
        <>
          <p role="status">{words.accepted}</p>
          <p>
            <a href="/cabinet/sign-in">{words.signIn}</a>
          </p>
        </>
      )}
      {step.at === 'over' && <p role="alert">{words.over}</p>}
      {secret === null && <p role="alert">{words.missing}</p>}
      {secret !== null && step.at !== 'accepted' && step.at !== 'over' && (
        <PasswordForm
          isBusy={step.at === 'sending'}
          error={step.at === 'fault' ? step.error : null}
          onSubmit={(password) => accept(secret, password)}
        />
      )}
    </main>
  );
}

interface Props {
  isBusy: boolean;
  error: Error | null;
  onSubmit: (password: string) => void;
}

function PasswordForm({ isBusy, error, onSubmit }: Props) {
  const words = useWords();
  const [entered, setEntered] = useState({ fresh: '', again: '' });
  const [isTried, setTried] = useState(false);
  const submit = (): void => {
    setTried(true);
    if (faultOfPassword(entered) === null) onSubmit(entered.fresh);
  };
  return (
    <Form onSubmit={submit} error={error} fields={['password']}>
      <p>{words.invitation.about}</p>
      <NewPasswordFields
        value={entered}
        onChange={setEntered}
        isTried={isTried}
        fault={faultOf(error, 'password', words)}
      />
      <Button kind="primary" type="submit" isPending={isBusy}>
        {words.invitation.accept}
      </Button>
    </Form>
  );
}

function stepOf(error: Error): Step {
  return error instanceof AttuneError && error.status === 404 ? { at: 'over' } : { at: 'fault', error };
}
