import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../../words/preferences.tsx';
import { Button } from '../buttons/Button.tsx';
import { Buttons } from '../buttons/Buttons.tsx';
import { Problem } from '../messages/Problem.tsx';

interface Props<T> {
  query: UseInfiniteQueryResult<T[]>;
  /** Shown if there are no entries. */
  empty: ReactNode;
  children: (rows: T[]) => ReactNode;
}

/** A paginated list in each of its states. Loaded pages stay if the next request fails. */
export function PaginatedList<T>({ query, empty, children }: Props<T>) {
  const { table } = useWords();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && (data.length === 0 ? empty : children(data))}
      {hasNextPage && (
        <Buttons>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {table.more}
          </Button>
        </Buttons>
      )}
    </>
  );
}
