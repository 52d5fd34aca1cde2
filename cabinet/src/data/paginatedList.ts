/** Paginated lists. */
import { infiniteQueryOptions } from '@tanstack/react-query';

const PAGE = 200;

interface PageOf<T> {
  items: T[];
  next_cursor: string | null;
}

interface Asked {
  signal: AbortSignal;
  query: { limit: number; cursor?: string };
}

/** Returns all loaded elements as one list. */
export function pagesQuery<T>(queryKey: readonly string[], ask: (asked: Asked) => Promise<{ data: PageOf<T> }>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ signal, pageParam }) =>
      (await ask({ signal, query: { limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) } })).data,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
}
