/** One webhook: its settings, actions, and the journal of deliveries. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { alertsOf } from '../../../data/installation/troubles.ts';
import { webhookQuery } from '../../../data/webhooks/webhooks.ts';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { Alerts } from '../webhooks/Alerts.tsx';
import { aboutHealth } from '../webhooks/health.ts';
import { HealthBadge } from '../webhooks/HealthBadge.tsx';
import { HoursCard } from './HoursCard.tsx';
import { Journal } from './journal/Journal.tsx';
import { RecoveryCard } from './RecoveryCard.tsx';
import { SecretCard } from './SecretCard.tsx';
import { SettingsCard } from './SettingsCard.tsx';
import { TestButton, TestOutcome, useTest } from './WebhookTest.tsx';
import styles from './WebhookPage.module.css';

export function WebhookPage() {
  const words = useWords();
  const format = useFormat();
  const { project, webhook: id } = useParams({ from: '/shell/p/$project/webhooks/$webhook' });
  const ids = useMemo(() => ({ project, webhook: id }), [project, id]);
  const { data: webhook, error, refetch } = useQuery(webhookQuery(ids));
  const test = useTest(ids);
  const back = (
    <BackLink to="/p/$project/webhooks" params={{ project }}>
      {words.webhook.back}
    </BackLink>
  );
  if (!webhook)
    return (
      <Page title={words.webhooks.title} above={back}>
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <p role="status">{words.table.loading}</p>}
      </Page>
    );
  const about = (
    <>
      <HealthBadge webhook={webhook} />
      {/* The alerts below have the same information. */}
      {alertsOf(webhook).length === 0 && <span>{aboutHealth(webhook, words, format).join(' ')}</span>}
    </>
  );
  return (
    <Page title={new URL(webhook.url).host} above={back} about={about} actions={<TestButton test={test} />}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <TestOutcome ids={ids} test={test} />
      <Alerts webhook={webhook} />
      <div className={styles.cards}>
        <SettingsCard ids={ids} webhook={webhook} />
        <SecretCard ids={ids} />
        <RecoveryCard ids={ids} webhook={webhook} />
      </div>
      <HoursCard ids={ids} />
      <Journal ids={ids} />
    </Page>
  );
}
