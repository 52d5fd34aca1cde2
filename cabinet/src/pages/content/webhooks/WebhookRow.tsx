import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../../data/webhooks/webhooks.ts';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { aboutHealth } from './health.ts';
import { HealthBadge } from './HealthBadge.tsx';
import styles from './WebhooksPage.module.css';

export function WebhookRow({ project, webhook }: { project: string; webhook: Webhook }) {
  const words = useWords();
  const format = useFormat();
  const { id, url, events } = webhook;
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <Link to="/p/$project/webhooks/$webhook" params={{ project, webhook: id }} className={styles.address}>
          {url}
        </Link>
        <HealthBadge webhook={webhook} />
      </div>
      <p>{events.map((event) => words.webhooks.eventNames[event]).join(' · ')}</p>
      <p className={styles.about}>{aboutHealth(webhook, words, format).join(' ')}</p>
    </li>
  );
}
