/** Sign-in with a password, or by a link whose secret is in the fragment of the address. */
import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import { AttuneError, api } from '../../../data/client.ts';
import { takeSecret } from '../../../shell/secretInAddress.ts';
import { addressAfterSignIn } from '../../../ui/messages/signInAddress.ts';
import { useWords } from '../../../words/preferences.tsx';
import { SignInForm, type SignInFields } from './SignInForm.tsx';
import styles from './SignInPage.module.css';

const SECRET = /^#(al_[A-Za-z0-9]{40})$/;

export function SignInPage() {
  const { signIn: words, app } = useWords();
  const [link, setLink] = useState(() => takeSecret(SECRET));
  const [fields, setFields] = useState<SignInFields>({ email: '', password: '', code: '' });
  const signIn = useSignIn();
  const { mutate } = signIn;
  useEffect(() => {
    document.title = `${words.title} · ${app.title}`;
  }, [words.title, app.title]);
  const asked = useRef<string | null>(null);
  useEffect(() => {
    // In development React runs effects twice, and a link is valid once.
    if (link === null || asked.current === link) return;
    asked.current = link;
    mutate({ link });
  }, [link, mutate]);
  useEffect(() => {
    // Takes a link that was pasted while this page was open.
    const take = (): void => setLink((known) => takeSecret(SECRET) ?? known);
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  const fault = faultOf(signIn.error);
  const isLinkOver = link !== null && fault === 'wrong';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const code = fields.code === '' ? {} : { code: fields.code };
    if (link !== null && !isLinkOver) return mutate({ link, ...code });
    setLink(null);
    mutate({ email: fields.email, password: fields.password, ...code });
  };
  const isSigningIn = link !== null && signIn.error === null;
  return (
    <main className={styles.page}>
      <h1>{words.title}</h1>
      {isSigningIn ? (
        <p role="status">{words.byLink}</p>
      ) : (
        <SignInForm
          fields={fields}
          onChange={setFields}
          onSubmit={submit}
          fault={fault}
          error={signIn.error}
          link={link === null ? 'none' : isLinkOver ? 'over' : 'good'}
          isBusy={signIn.isPending}
        />
      )}
    </main>
  );
}

export type Fault = 'wrong' | 'code_required' | 'code_wrong' | 'other' | null;

function faultOf(error: Error | null): Fault {
  if (error === null) return null;
  if (!(error instanceof AttuneError) || error.status !== 401) return 'other';
  const code = error.details.find(({ field }) => field === 'code')?.code;
  if (code === 'required') return 'code_required';
  return code === undefined ? 'wrong' : 'code_wrong';
}

type Credentials = { link: string; code?: string } | { email: string; password: string; code?: string };

interface SignInState {
  error: Error | null;
  isPending: boolean;
  mutate(credentials: Credentials): void;
}

/** After signing in, the app opens as another document, so that no data of a previous user stays. */
function useSignIn(): SignInState {
  const [state, setState] = useState<{ error: Error | null; isPending: boolean }>({ error: null, isPending: false });
  const mutate = useCallback((body: Credentials): void => {
    setState({ error: null, isPending: true });
    const answer = 'link' in body ? api.signIn({ body }) : api.login({ body });
    answer.then(
      () => location.replace(addressAfterSignIn(location.search)),
      (error: unknown) =>
        setState({ error: error instanceof Error ? error : new Error(String(error)), isPending: false }),
    );
  }, []);
  return { ...state, mutate };
}
