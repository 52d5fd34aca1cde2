import { useWords } from '../../words/preferences.tsx';
import { signInAgainAddress } from './signInAddress.ts';

/** A link that opens the sign-in in another tab, so that what is typed in a form stays. */
export function SignInAgain() {
  const { errors } = useWords();
  return (
    <a href={signInAgainAddress()} target="_blank" rel="noreferrer">
      {errors.signIn}
    </a>
  );
}
