import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { propertiesQuery, type Property } from '../../../data/project/projectSettings.ts';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';

interface Filterable {
  properties: readonly Property[];
  /** False until they are read: without the types of the properties, values would be entered as texts. */
  isKnown: boolean;
  /** Shown while they are not known, or if there are none. */
  note: ReactNode;
}

/** Returns the properties of a project that can be used as filters. */
export function useFilterable(project: string): Filterable {
  const { lab, table } = useWords();
  const { data, error, refetch } = useInfiniteQuery(propertiesQuery(project));
  const properties = data?.filter(({ filterable }) => filterable) ?? [];
  const pending = error ? (
    <Problem error={error} onRetry={() => void refetch()} />
  ) : (
    <p role="status">{table.loading}</p>
  );
  const isKnown = data !== undefined;
  return { properties, isKnown, note: isKnown ? properties.length === 0 && <Hint>{lab.noFilters}</Hint> : pending };
}
