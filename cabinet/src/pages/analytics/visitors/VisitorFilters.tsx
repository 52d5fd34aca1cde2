import { limits } from '../../../data/apiLimits.ts';
import type { VisitorFilter } from '../../../data/sites/visitorFilter.ts';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { FilterLine, Filters } from '../../../ui/choices/Filters.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { GoalFilter, SourceFilter } from '../parts/filters/knownFilters.tsx';

interface Props {
  site: string;
  filter: VisitorFilter;
  onChange: (filter: VisitorFilter) => void;
}

/** Filters by identity or by behaviour; each excludes the other. */
export function VisitorFilters({ site, filter, onChange }: Props) {
  const { visitors: words, filters } = useWords();
  const change = (changed: VisitorFilter): void => onChange({ ...filter, who: undefined, ...changed });
  const { from_source: name } = filter;
  return (
    <Filters>
      <SearchField
        key={`who ${filter.who}`}
        label={words.who}
        maxLength={limits.listVisitors_user_id}
        value={filter.who}
        onSubmit={(who) => onChange({ who })}
      />
      <SearchField
        key={`page ${filter.page}`}
        label={filters.page}
        maxLength={limits.listVisitors_page}
        value={filter.page}
        onSubmit={(page) => change({ page })}
      />
      <GoalFilter site={site} value={filter.goal} onChange={(goal) => change({ goal })} />
      <SourceFilter value={filter.source} onChange={(source) => change({ source })} />
      {name !== undefined && (
        <FilterLine>
          <Checkbox isSelected onChange={() => change({ from_source: undefined })}>
            {words.onlyFrom(name)}
          </Checkbox>
        </FilterLine>
      )}
      <FilterLine>
        <Hint>{filter.who === undefined ? words.about : words.byId}</Hint>
      </FilterLine>
    </Filters>
  );
}
