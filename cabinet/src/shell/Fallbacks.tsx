/** Replacements for a page that cannot be shown. */
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { useWords } from '../words/preferences.tsx';

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
