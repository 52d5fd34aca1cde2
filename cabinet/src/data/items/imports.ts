/** Past imports of items from files, and the current one. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { queryClient } from '../account/queryClient.ts';
import { UNFINISHED_MS } from '../pollingIntervals.ts';

export type Import = cabinet.Import;
export type ImportWithErrors = cabinet.ImportWithErrors;
export type ImportLineError = cabinet.ImportLineError;
export type ImportFormat = Import['format'];

const PAGE = 20;
const CONTENT_TYPES: Record<ImportFormat, string> = { jsonl: 'application/x-ndjson', csv: 'text/csv' };

export const isOver = ({ state }: Pick<Import, 'state'>): boolean => state === 'done' || state === 'failed';

export const importsQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['imports', project],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) };
      return (await api.listImports({ signal, path: { id: project }, query })).data;
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some((one) => !isOver(one))) ? UNFINISHED_MS : false,
  });

export const importQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['import', project, id],
    queryFn: async ({ signal }) => (await api.getImport({ signal, path: { id: project, import_id: id } })).data,
    refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? UNFINISHED_MS : false),
  });

/**
 * Sends a file unchanged.
 * @returns the import that has begun
 */
export async function sendFile(
  project: string,
  file: File,
  format: ImportFormat,
  signal: AbortSignal,
): Promise<Import> {
  const { data } = await api.createImport({
    signal,
    path: { id: project },
    headers: { 'Content-Type': CONTENT_TYPES[format] },
    // The API description declares the body as text. A browser sends a File without reading it into memory, which would
    // not hold a gigabyte.
    body: file as unknown as string,
    bodySerializer: null,
  });
  await queryClient.invalidateQueries({ queryKey: ['imports', project] });
  return data;
}
