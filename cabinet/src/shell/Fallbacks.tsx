/** Replacements for a page that cannot be shown. */
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../ui/layout/Page.tsx';
import { Problem } from '../ui/messages/Problem.tsx';
import { SignInAgain } from '../ui/messages/SignInAgain.tsx';
import { useWords } from '../words/preferences.tsx';
import styles from './Shell.module.css';

export function Fault({ error, reset }: ErrorComponentProps) {
  const { errors } = useWords();
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <main>
      <Page title={errors.title}>
        <Problem error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
      </Page>
    </main>
  );
}

/** Replaces the pages of a project or site that the user may no longer see. */
export function AccessLost() {
  const { errors, notFound } = useWords();
  return (
    <Page title={notFound.title}>
      <p role="alert">{errors.codes['not_found']}</p>
      <p>
        <Link to="/">{notFound.home}</Link>
      </p>
    </Page>
  );
}

/** Shown above the hidden page of a user whose session is over. */
export function SignedOut() {
  const { errors } = useWords();
  return (
    <div role="alert" className={styles.banners}>
      <h1>{errors.codes['unauthorized']}</h1>
      <p>
        <SignInAgain />
      </p>
    </div>
  );
}

export function NotFound() {
  const { notFound } = useWords();
  return (
    <main>
      <Page title={notFound.title}>
        <p>
          <Link to="/">{notFound.home}</Link>
        </p>
      </Page>
    </main>
  );
}
