/** One delivery: its attempts, their schedule, and the sent data. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { deliveryQuery, type DeliveryDetail } from '../../../data/webhooks/webhooks.ts';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { storyOf } from '../webhook/journal/deliveryState.ts';
import { StateBadge } from '../webhook/journal/StateBadge.tsx';
import { AttemptList } from './AttemptList.tsx';
import { ResendButton } from './ResendButton.tsx';
import { SentBody } from './SentBody.tsx';
import styles from './DeliveryPage.module.css';

export function DeliveryPage() {
  const { delivery: words, webhooks, table } = useWords();
  const {
    project,
    webhook,
    delivery: id,
  } = useParams({
    from: '/shell/p/$project/webhooks/$webhook/deliveries/$delivery',
  });
  const ids = useMemo(() => ({ project, webhook }), [project, webhook]);
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(ids, id));
  const back = (
    <BackLink to="/p/$project/webhooks/$webhook" params={ids}>
      {words.back}
    </BackLink>
  );
  if (!delivery)
    return (
      <Page title={words.id} above={back}>
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <p role="status">{table.loading}</p>}
      </Page>
    );
  return (
    <Page
      title={`${webhooks.eventNames[delivery.event]}: ${delivery.item_id}`}
      above={back}
      about={<Headline project={project} delivery={delivery} />}
      actions={<ResendButton ids={ids} delivery={delivery} />}
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <div className={styles.cards}>
        <AttemptList delivery={delivery} />
        <SentBody body={delivery.request_body} />
      </div>
    </Page>
  );
}

function Headline({ project, delivery }: { project: string; delivery: DeliveryDetail }) {
  const words = useWords();
  const format = useFormat();
  const { delivery_id: id, item_id: item, event } = delivery;
  return (
    <>
      <StateBadge delivery={delivery} />
      <span>{storyOf(delivery, words, format)}</span>
      <code>{id}</code>
      {event !== 'webhook.test' && (
        <Link to="/p/$project/items/$item" params={{ project, item }}>
          {words.delivery.item}
        </Link>
      )}
    </>
  );
}
