import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SPANS, type Span } from '../../../data/webhooks/journalFilter.ts';
import { webhookStatisticsQuery, type WebhookIds } from '../../../data/webhooks/webhooks.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { HourCharts } from './HourCharts.tsx';

/** Shows the webhook's deliveries hour by hour. */
export function HoursCard({ ids }: { ids: WebhookIds }) {
  const { webhook, table } = useWords();
  const { hours: words } = webhook;
  const search = useSearch({ from: '/shell/p/$project/webhooks/$webhook' });
  const navigate = useNavigate();
  const span = search.span ?? 'days';
  const { data, error, refetch, isPlaceholderData } = useQuery(webhookStatisticsQuery(ids, span));
  const show = (next: Span): void =>
    void navigate({
      to: '/p/$project/webhooks/$webhook',
      params: ids,
      search: { ...search, span: next === 'days' ? undefined : next },
      replace: true,
      resetScroll: false,
    });
  return (
    <Card
      title={span === 'month' ? words.titleOfDays : words.title}
      aside={
        <SelectField
          label={words.span}
          value={span}
          options={SPANS.map((value) => ({ value, text: words.spans[value] }))}
          onChange={show}
        />
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && <HourCharts statistics={data} isOld={isPlaceholderData} />}
    </Card>
  );
}
