/** Filters that several lists of a site share. */
import { useQuery } from '@tanstack/react-query';
import { goalsQuery } from '../../../../data/sites/goals.ts';
import { segmentsQuery } from '../../../../data/report/savedReports.ts';
import { SOURCE_TYPES, type SourceType } from '../../../../data/sites/recordingFilter.ts';
import { FilterChoice } from '../../../../ui/choices/FilterChoice.tsx';
import { useWords } from '../../../../words/preferences.tsx';

/** The page's value of a filter. */
interface FilterProps<T extends string> {
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}

/** Selects a goal of the site; an old address may still name a deleted one. */
export function GoalFilter({ site, value, onChange }: FilterProps<string> & { site: string }) {
  const { filters } = useWords();
  const { data: goals = [] } = useQuery(goalsQuery(site));
  const codes = [...new Set([...goals.map(({ code }) => code), ...(value === undefined ? [] : [value])])];
  return (
    <FilterChoice
      label={filters.goal}
      any={filters.anyGoal}
      names={Object.fromEntries(goals.map(({ code, title }) => [code, title]))}
      known={codes}
      value={value}
      onChange={onChange}
    />
  );
}

/** Selects a saved segment of the site; hidden if there are none and the address names none. */
export function SegmentFilter({ site, value, onChange }: FilterProps<string> & { site: string }) {
  const { filters } = useWords();
  const { data: segments = [] } = useQuery(segmentsQuery(site));
  const ids = [...new Set([...segments.map(({ id }) => id), ...(value === undefined ? [] : [value])])];
  if (ids.length === 0) return null;
  return (
    <FilterChoice
      label={filters.segment}
      any={filters.anySegment}
      names={Object.fromEntries(segments.map(({ id, title }) => [id, title]))}
      known={ids}
      value={value}
      onChange={onChange}
    />
  );
}

export function SourceFilter({ value, onChange }: FilterProps<SourceType>) {
  const { filters, codes } = useWords();
  return (
    <FilterChoice
      label={filters.source}
      any={filters.anySource}
      names={codes.source_type}
      known={SOURCE_TYPES}
      value={value}
      onChange={onChange}
    />
  );
}
