import { AttuneError } from '../../data/client.ts';
import { SignInAgain } from './SignInAgain.tsx';
import { useFormat } from '../../words/format.ts';
import { useWords } from '../../words/preferences.tsx';
import type { Words } from '../../words/en/index.ts';
import { Button } from '../buttons/Button.tsx';
import styles from './Problem.module.css';

interface Props {
  error: Error;
  onRetry?: () => void;
}

/** Describes an error in a sentence, with its code and the id to search for in the service's log. */
export function Problem({ error, onRetry }: Props) {
  const words = useWords();
  const format = useFormat();
  const waitSeconds = error instanceof AttuneError ? error.retryAfter : null;
  return (
    <div role="alert" className={styles.problem}>
      <div className={styles.text}>
        <strong>{words.errors.title}</strong>
        <p>{sentenceFor(error, words)}</p>
        {waitSeconds !== null && <p>{words.errors.wait(format.duration(waitSeconds))}</p>}
        {error instanceof AttuneError && error.status === 401 && <SignInAgain />}
        {error instanceof AttuneError && (
          <p className={styles.trace}>
            <code>{error.code}</code>
            {error.requestId !== null && <span>{words.errors.request(error.requestId)}</span>}
          </p>
        )}
      </div>
      {onRetry && <Button onPress={onRetry}>{words.errors.retry}</Button>}
    </div>
  );
}

function sentenceFor(error: Error, { errors }: Words): string {
  if (error instanceof AttuneError) return errors.codes[error.code] ?? errors.unknown;
  return error instanceof TypeError ? errors.network : errors.unknown;
}
