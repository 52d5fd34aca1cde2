/** The webhooks of a project, and the health of each. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { webhooksQuery } from '../../../data/webhooks/webhooks.ts';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { AddWebhook } from './AddWebhook.tsx';
import { Alerts } from './Alerts.tsx';
import { NewWebhook } from './NewWebhook.tsx';
import { WebhookRow } from './WebhookRow.tsx';
import styles from './WebhooksPage.module.css';

export function WebhooksPage() {
  const { webhooks: words, table } = useWords();
  const { project } = useParams({ from: '/shell/p/$project/webhooks' });
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(project));
  const [isAdding, setAdding] = useState(false);
  const add = webhooks && <AddWebhook count={webhooks.length} onPress={() => setAdding(true)} />;
  return (
    <Page title={words.title} actions={webhooks?.length !== 0 && add}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!webhooks && !error && <p role="status">{table.loading}</p>}
      {webhooks?.map((webhook) => (
        <Alerts key={webhook.id} webhook={webhook} isOnList />
      ))}
      {webhooks?.length === 0 && (
        <Empty title={words.empty}>
          <p className={styles.purpose}>{words.purpose}</p>
          {add}
          <p className={styles.purpose}>{words.docs}</p>
        </Empty>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className={styles.list}>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} project={project} webhook={webhook} />
          ))}
        </ul>
      )}
      <NewWebhook project={project} isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}
