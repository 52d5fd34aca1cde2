/** Problems that need attention, above everything else; hidden if there are none. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  alertsOf,
  alertsQuery,
  troublesQuery,
  type TroubledWebhook,
  type Troubles as TroublesToTell,
} from '../../data/installation/troubles.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Problem } from '../../ui/messages/Problem.tsx';
import { useFormat } from '../../words/format.ts';
import { useWords } from '../../words/preferences.tsx';
import rows from '../../ui/tables/Rows.module.css';
import styles from './HomePage.module.css';

export function Troubles() {
  const { home } = useWords();
  const alerts = useQuery(alertsQuery);
  const troubles = useQuery(troublesQuery);
  const error = alerts.error ?? troubles.error;
  const retry = (): void => {
    void alerts.refetch();
    void troubles.refetch();
  };
  const troubled = [...useWebhookRows(alerts.data ?? []), ...useRows(troubles.data)];
  return (
    <>
      {error && <Problem error={error} onRetry={retry} />}
      {troubled.length > 0 && (
        <Card title={home.troubles.title}>
          <ul className={rows.list}>{troubled}</ul>
        </Card>
      )}
    </>
  );
}

function useWebhookRows(webhooks: readonly TroubledWebhook[]): ReactNode[] {
  const { webhooks: words } = useWords();
  return webhooks.map((webhook) => (
    <li key={webhook.id}>
      <Link
        to="/p/$project/webhooks/$webhook"
        params={{ project: webhook.project_id, webhook: webhook.id }}
        className={`${rows.row} ${styles.trouble}`}
      >
        <span className={rows.title}>{webhook.project_title}</span>
        <span className={styles.bad}>
          {alertsOf(webhook)
            .map((alert) => words.alerts[alert])
            .join(' · ')}
        </span>
        <span className={styles.detail}>{webhook.url}</span>
      </Link>
    </li>
  ));
}

/** The API counts no further: this number means that there may be more. */
const MAX_FAILED = 100;

function useRows(troubles: TroublesToTell | undefined): ReactNode[] {
  const words = useWords().home.troubles;
  const format = useFormat();
  if (!troubles) return [];
  const countOf = (count: number): string =>
    count < MAX_FAILED ? format.number(count) : words.orMore(format.number(MAX_FAILED));
  const failed = troubles.failed_items.map(({ project_id: project, project_title: title, count, last_at }) => (
    <li key={project}>
      <Link
        to="/p/$project/items"
        params={{ project }}
        search={{ status: 'failed' }}
        className={`${rows.row} ${styles.trouble}`}
      >
        <span className={rows.title}>{title}</span>
        <span className={styles.bad}>{words.failed(countOf(count))}</span>
        <span className={styles.detail}>{format.moment(last_at)}</span>
      </Link>
    </li>
  ));
  const silent = troubles.silent_sites.map(({ site_id: site, site_title: title, last_hit_on: day }) => (
    <li key={site}>
      <Link to="/s/$site" params={{ site }} className={`${rows.row} ${styles.trouble}`}>
        <span className={rows.title}>{title}</span>
        <span className={styles.warn}>{day === null ? words.never : words.silent(format.day(day))}</span>
      </Link>
    </li>
  ));
  return [...failed, ...silent];
}
