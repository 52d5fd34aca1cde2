import { useEffect, type ReactNode } from 'react';
import { useWords } from '../../words/preferences.tsx';
import styles from './Page.module.css';

interface Props {
  title: string;
  /** Above the title: the back link. */
  above?: ReactNode;
  /** Below the title. */
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with its title, which the browser's tab shows as well. */
export function Page({ title, above, about, actions, children }: Props) {
  const { app } = useWords();
  useEffect(() => {
    document.title = `${title} · ${app.title}`;
  }, [title, app.title]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.titles}>
          {above}
          <h1>{title}</h1>
          {about && <div className={styles.about}>{about}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
