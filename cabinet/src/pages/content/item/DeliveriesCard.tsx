import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  itemDeliveriesQuery,
  webhooksQuery,
  type ItemDelivery,
  type Webhook,
} from '../../../data/webhooks/webhooks.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { storyOf } from '../webhook/journal/deliveryState.ts';
import { StateBadge } from '../webhook/journal/StateBadge.tsx';
import styles from './DeliveriesCard.module.css';

/** Shows the latest deliveries about the item to the integrator's servers, and their results. */
export function DeliveriesCard({ project, item }: { project: string; item: string }) {
  const { item: words, table } = useWords();
  const { data, error, refetch } = useQuery(itemDeliveriesQuery(project, item));
  const { data: webhooks } = useQuery(webhooksQuery(project));
  return (
    <Card title={words.deliveries.title}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data?.items.length === 0 && <NoDeliveries project={project} webhooks={webhooks} />}
      {data && data.items.length > 0 && (
        <ul className={styles.list}>
          {data.items.map((delivery) => (
            <Row key={delivery.delivery_id} project={project} delivery={delivery} webhooks={webhooks} />
          ))}
        </ul>
      )}
      {data && data.next_cursor !== null && <Older project={project} item={item} webhooks={webhooks ?? []} />}
    </Card>
  );
}

/** Undefined while unknown. */
type Webhooks = readonly Webhook[] | undefined;

const hostOf = ({ url }: Webhook): string => new URL(url).host;

function Row({ project, delivery, webhooks }: { project: string; delivery: ItemDelivery; webhooks: Webhooks }) {
  const words = useWords();
  const format = useFormat();
  const { webhook_id: webhook, delivery_id: id, event, created_at: created } = delivery;
  const sender = webhooks?.find((one) => one.id === webhook);
  return (
    <li className={styles.delivery}>
      <div className={styles.head}>
        <Link to="/p/$project/webhooks/$webhook/deliveries/$delivery" params={{ project, webhook, delivery: id }}>
          {words.webhooks.eventNames[event]}
        </Link>
        <StateBadge delivery={delivery} />
      </div>
      <p>{storyOf(delivery, words, format)}</p>
      <Hint>{[...(sender ? [hostOf(sender)] : []), format.moment(created)].join(' · ')}</Hint>
    </li>
  );
}

/** Explains why nothing was sent, and what to do. */
function NoDeliveries({ project, webhooks }: { project: string; webhooks: Webhooks }) {
  const { deliveries } = useWords().item;
  if (webhooks?.length !== 0) return <p>{deliveries.none}</p>;
  return (
    <>
      <p>{deliveries.noWebhook}</p>
      <Link to="/p/$project/webhooks" params={{ project }}>
        {deliveries.toWebhooks}
      </Link>
    </>
  );
}

/** Links to the journals, which have the rest. */
function Older({ project, item, webhooks }: { project: string; item: string; webhooks: readonly Webhook[] }) {
  const { deliveries } = useWords().item;
  return (
    <div>
      <Hint>{deliveries.older}</Hint>
      <ul>
        {webhooks.map((one) => (
          <li key={one.id}>
            <Link to="/p/$project/webhooks/$webhook" params={{ project, webhook: one.id }} search={{ item }}>
              {hostOf(one)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
