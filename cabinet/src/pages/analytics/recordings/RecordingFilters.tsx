import { limits } from '../../../data/apiLimits.ts';
import { DURATIONS, PERIODS, type RecordingFilter } from '../../../data/sites/recordingFilter.ts';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { FilterChoice } from '../../../ui/choices/FilterChoice.tsx';
import { FilterLine, Filters } from '../../../ui/choices/Filters.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { GoalFilter, SegmentFilter, SourceFilter } from '../parts/filters/knownFilters.tsx';

interface Props {
  site: string;
  filter: RecordingFilter;
  onChange: (filter: RecordingFilter) => void;
}

export function RecordingFilters({ site, filter, onChange }: Props) {
  const { recordings: words, filters } = useWords();
  const change = (changed: RecordingFilter): void => onChange({ ...filter, ...changed });
  return (
    <Filters>
      <SearchField
        key={filter.page}
        label={filters.page}
        maxLength={limits.listRecordings_page}
        value={filter.page}
        onSubmit={(page) => change({ page })}
      />
      <GoalFilter site={site} value={filter.goal} onChange={(goal) => change({ goal })} />
      <SegmentFilter site={site} value={filter.segment} onChange={(segment) => change({ segment })} />
      <SourceFilter value={filter.source} onChange={(source) => change({ source })} />
      <FilterChoice
        label={words.duration}
        any={words.anyDuration}
        names={words.durations}
        known={DURATIONS}
        value={filter.duration}
        onChange={(duration) => change({ duration })}
      />
      <FilterChoice
        label={words.when}
        any={words.anyTime}
        names={words.whens}
        known={PERIODS}
        value={filter.when}
        onChange={(when) => change({ when })}
      />
      <FilterLine>
        <Checkbox isSelected={filter.favourite ?? false} onChange={(is) => change({ favourite: is || undefined })}>
          {words.onlyFavourites}
        </Checkbox>
        <Checkbox isSelected={filter.errors ?? false} onChange={(is) => change({ errors: is || undefined })}>
          {words.onlyErrors}
        </Checkbox>
        {filter.visitor !== undefined && (
          <Checkbox isSelected onChange={() => change({ visitor: undefined })}>
            {words.onlyVisitor(filter.visitor)}
          </Checkbox>
        )}
      </FilterLine>
    </Filters>
  );
}
