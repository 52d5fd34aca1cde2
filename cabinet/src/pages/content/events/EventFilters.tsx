import { OUTCOMES, type EventFilter } from '../../../data/project/eventFilter.ts';
import { typeTitles } from '../../../data/project/eventTypes.ts';
import { limits } from '../../../data/apiLimits.ts';
import type { EventType } from '../../../data/project/projectSettings.ts';
import { FilterChoice } from '../../../ui/choices/FilterChoice.tsx';
import { Filters } from '../../../ui/choices/Filters.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  types: readonly EventType[];
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
}

export function EventFilters({ types, filter, onChange }: Props) {
  const words = useWords();
  const { events } = words;
  const { type, outcome, user, item } = filter;
  // Rejected events may have a type that was never declared.
  const codes = typeTitles(types, words);
  if (type !== undefined && !codes.has(type)) codes.set(type, type);
  return (
    <Filters>
      <SearchField
        maxLength={limits.listProjectEvents_user_id}
        key={`user ${user}`}
        label={events.user}
        value={user}
        onSubmit={(next) => onChange({ ...filter, user: next, kind: undefined })}
      />
      <SearchField
        maxLength={limits.listProjectEvents_item}
        key={`item ${item}`}
        label={events.item}
        value={item}
        onSubmit={(next) => onChange({ ...filter, item: next })}
      />
      <FilterChoice
        label={events.type}
        any={events.anyType}
        names={Object.fromEntries(codes)}
        known={[...codes.keys()]}
        value={type}
        onChange={(next) => onChange({ ...filter, type: next })}
      />
      <FilterChoice
        label={events.outcome}
        any={events.anyOutcome}
        names={events.outcomes}
        known={OUTCOMES}
        value={outcome}
        onChange={(next) => onChange({ ...filter, outcome: next })}
      />
    </Filters>
  );
}
