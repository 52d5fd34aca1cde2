/** Deliveries to a webhook, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import type { JournalFilter } from '../../../../data/webhooks/journalFilter.ts';
import { deliveriesQuery, type WebhookIds } from '../../../../data/webhooks/webhooks.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Empty } from '../../../../ui/messages/Empty.tsx';
import { Problem } from '../../../../ui/messages/Problem.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { JournalFilters } from './JournalFilters.tsx';
import { JournalTable } from './JournalTable.tsx';
import styles from './Journal.module.css';

export function Journal({ ids }: { ids: WebhookIds }) {
  const { journal, items, table } = useWords();
  const heading = useId();
  const { span, ...filter } = useSearch({ from: '/shell/p/$project/webhooks/$webhook' });
  const navigate = useNavigate();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useInfiniteQuery(
    deliveriesQuery(ids, filter),
  );
  const deliveries = data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const show = (search: JournalFilter): void =>
    void navigate({ to: '/p/$project/webhooks/$webhook', params: ids, search: { ...search, span }, replace: true });
  return (
    <section className={styles.journal} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{journal.title}</h2>
        <span className={styles.kept}>{journal.kept}</span>
      </div>
      <JournalFilters filter={filter} onChange={show} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <p role="status">{table.loading}</p>}
      {deliveries.length > 0 && <JournalTable ids={ids} deliveries={deliveries} />}
      {data && deliveries.length === 0 && !isFiltered && (
        <Empty title={journal.empty}>
          <p>{journal.emptyHint}</p>
        </Empty>
      )}
      {data && deliveries.length === 0 && isFiltered && (
        <Empty title={items.nothingFound}>
          <Button onPress={() => show({})}>{items.clear}</Button>
        </Empty>
      )}
      {hasNextPage && (
        <div className={styles.more}>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {items.next}
          </Button>
        </div>
      )}
    </section>
  );
}
