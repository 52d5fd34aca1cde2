/** The user's own account: ways to sign in, and everything that is signed in as the user. */
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../../data/account/account.ts';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { AboutMe } from './AboutMe.tsx';
import { Password } from './Password.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';
import { Tokens } from './Tokens.tsx';
import styles from './AccountPage.module.css';

export function AccountPage() {
  const { profile } = useWords();
  const { data: me } = useQuery(meQuery);
  return (
    <Page title={profile.title}>
      <div className={styles.cards}>
        <div className={styles.stack}>
          {me && <AboutMe me={me} />}
          <SecondFactor />
        </div>
        <Password />
        <div className={styles.wide}>
          <Tokens />
        </div>
        <div className={styles.wide}>
          <Sessions />
        </div>
      </div>
    </Page>
  );
}
