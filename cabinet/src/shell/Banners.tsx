/** Urgent problems on every page of a project: a webhook that accepts no new events, or has failed for long. */
import { useQuery } from '@tanstack/react-query';
import { Link, useMatchRoute } from '@tanstack/react-router';
import { alertsOf, alertsQuery } from '../data/installation/troubles.ts';
import { Notice } from '../ui/messages/Notice.tsx';
import { useWords } from '../words/preferences.tsx';
import styles from './Shell.module.css';

export function Banners({ project }: { project: string }) {
  const { webhooks: words } = useWords();
  const { data: alerts = [] } = useQuery(alertsQuery);
  // The webhook pages show them in more detail.
  const isSaidThere = useMatchRoute()({ to: '/p/$project/webhooks', fuzzy: true }) !== false;
  const own = isSaidThere ? [] : alerts.filter((webhook) => webhook.project_id === project);
  if (own.length === 0) return null;
  return (
    <div className={styles.banners}>
      {own.map((webhook) => (
        <Notice
          key={webhook.id}
          tone={webhook.backlog_since === null && webhook.alert === 'failing_1h' ? 'warn' : 'bad'}
          title={alertsOf(webhook)
            .map((alert) => words.alerts[alert])
            .join(' · ')}
        >
          <Link to="/p/$project/webhooks/$webhook" params={{ project, webhook: webhook.id }}>
            {webhook.url}
          </Link>
        </Notice>
      ))}
    </div>
  );
}
