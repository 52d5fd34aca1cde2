import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { webhooksQuery } from '../../../data/webhooks/webhooks.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import rows from '../../../ui/tables/Rows.module.css';
import { HealthBadge } from '../webhooks/HealthBadge.tsx';

/** Shows the health of each webhook. */
export function WebhooksCard({ project }: { project: string }) {
  const { project: words, table } = useWords();
  const { data, error, refetch } = useQuery(webhooksQuery(project));
  return (
    <Card
      title={words.webhooks}
      aside={
        <Link to="/p/$project/webhooks" params={{ project }}>
          {data?.length === 0 ? words.addWebhook : words.toWebhooks}
        </Link>
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data?.length === 0 && <p>{words.noWebhooks}</p>}
      {data && data.length > 0 && (
        <ul className={rows.list}>
          {data.map((webhook) => (
            <li key={webhook.id}>
              <Link to="/p/$project/webhooks/$webhook" params={{ project, webhook: webhook.id }} className={rows.row}>
                <span className={rows.title}>{webhook.url}</span>
                <HealthBadge webhook={webhook} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
