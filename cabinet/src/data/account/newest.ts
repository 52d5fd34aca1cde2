/** Data that a form opens with. */
import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from './queryClient.ts';

/**
 * Reads data anew when its component appears: a cached answer may be older than what somebody has just saved, and a
 * form that shows it would revert that. There are no data until an answer has arrived, also after a failed try.
 * @param query the same one for as long as the component is there
 */
export function useNewest<T, Key extends QueryKey>(query: UseQueryOptions<T, Error, T, Key>) {
  const [answersBefore] = useState(() => answersTo(query.queryKey));
  const { data, error, refetch, isFetchedAfterMount } = useQuery({ ...query, refetchOnMount: 'always' });
  const isNew = isFetchedAfterMount && answersTo(query.queryKey) > answersBefore;
  return { data: isNew ? data : undefined, error, refetch };
}

/**
 * Returns what is found, or else the last found one that is still wanted: somebody may delete what a form shows, which
 * must not take away the form, and with it what has been entered.
 */
export function useLastFound<T>(found: T | undefined, isWanted: (last: T) => boolean): T | undefined {
  const [last, setLast] = useState<T>();
  if (found !== undefined && found !== last) setLast(found);
  return found ?? (last !== undefined && isWanted(last) ? last : undefined);
}

function answersTo(key: QueryKey): number {
  return queryClient.getQueryState(key)?.dataUpdateCount ?? 0;
}
