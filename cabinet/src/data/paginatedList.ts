/** Paginated lists. */
import { infiniteQueryOptions } from '@tanstack/react-query';

const PAGE = 200;
/** The API's maximum number of elements per response. */
export const MAX_PAGE_SIZE = 500;

interface PageOf<T> {
  items: T[];
  next_cursor: string | null;
}

interface PageQuery {
  limit: number;
  cursor?: string;
}

interface PageRequest {
  signal: AbortSignal;
  query: PageQuery;
}

/** Returns all loaded elements as one list. */
export function pagesQuery<T>(queryKey: readonly string[], ask: (asked: PageRequest) => Promise<{ data: PageOf<T> }>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ signal, pageParam }) =>
      (await ask({ signal, query: { limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) } })).data,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
}

/** Returns all elements, however many requests that takes: for lists that the cabinet needs in full. */
export async function readAll<T>(ask: (query: PageQuery) => Promise<{ data: PageOf<T> }>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const { data }: { data: PageOf<T> } = await ask({ limit: MAX_PAGE_SIZE, ...(cursor !== null && { cursor }) });
    all.push(...data.items);
    cursor = data.next_cursor;
  } while (cursor !== null);
  return all;
}
