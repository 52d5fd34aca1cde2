import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { cabinet } from '../../data/client.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Problem } from '../../ui/messages/Problem.tsx';
import { useWords } from '../../words/preferences.tsx';
import styles from './HomePage.module.css';

export function Sites({ query: { data, error, refetch } }: { query: UseQueryResult<cabinet.Site[]> }) {
  const { app, home, table } = useWords();
  return (
    <section className={styles.group} aria-labelledby="sites">
      <h2 id="sites">{app.sites}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data?.length === 0 && <p className={styles.none}>{home.noSites}</p>}
      {data?.map((site) => (
        <SiteCard key={site.id} site={site} />
      ))}
    </section>
  );
}

function SiteCard({ site: { id, title, hosts, state, owner_state: ownerState } }: { site: cabinet.Site }) {
  const { home } = useWords();
  const isActive = state === 'active' && ownerState === 'active';
  return (
    <Card
      level={3}
      title={title}
      aside={
        <span className={styles.id}>
          {id}
          {!isActive && ` · ${home.stopped}`}
        </span>
      }
    >
      <p className={styles.none}>{hosts.includes('*') ? home.anyHost : hosts.join(', ')}</p>
      <Link to="/s/$site" params={{ site: id }} className={styles.all}>
        {home.openSite}
      </Link>
    </Card>
  );
}
