import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, type cabinet } from '../../data/client.ts';
import { useDebounced } from '../../ui/fields/useDebounced.ts';
import { isItemFound } from './entries.ts';
import type { Destination } from './useDestinations.ts';

const DEBOUNCE_MS = 200;
const SHOWN = 5;
/** Number of projects searched outside the pages of a project: each costs a request. */
const SEARCHED = 5;
const FRESH_MS = 30_000;

/** Finds items whose id or title contains the query: in the project whose page is shown, else in the first few. */
export function useItems(query: string, projects: readonly cabinet.Project[], here: string | null): Destination[] {
  const navigate = useNavigate();
  const text = query.trim();
  const debounced = useDebounced(text, DEBOUNCE_MS);
  const asked = text === '' ? '' : debounced;
  const own = projects.filter(({ id }) => id === here);
  const searched = asked === '' ? [] : own.length > 0 ? own : projects.slice(0, SEARCHED);
  const answers = useQueries({
    queries: searched.map(({ id }) => ({
      queryKey: ['palette', id, asked],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await api.listProjectItems({ signal, path: { id }, query: { q: asked, limit: SHOWN } })).data.items,
      staleTime: FRESH_MS,
      retry: false,
    })),
  });
  return searched.flatMap(({ id: project, title: projectTitle }, index) =>
    (answers[index]?.data ?? [])
      // While somebody types, items found by the text before stay only if they still match: Enter opens the first result.
      .filter((item) => asked === text || isItemFound(item, text))
      .map(({ id, title }) => ({
        id: `item/${project}/${id}`,
        text: title ?? id,
        detail: `${id} · ${projectTitle}`,
        go: () => void navigate({ to: '/p/$project/items/$item', params: { project, item: id } }),
      })),
  );
}
