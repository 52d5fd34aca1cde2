import { CODES, PERIODS, STATUSES, type JournalFilter } from '../../../../data/webhooks/journalFilter.ts';
import { EVENTS } from '../../../../data/webhookEvents.ts';
import { limits } from '../../../../data/apiLimits.ts';
import { FilterChoice } from '../../../../ui/choices/FilterChoice.tsx';
import { Filters } from '../../../../ui/choices/Filters.tsx';
import { SearchField } from '../../../../ui/fields/SearchField.tsx';
import { useWords } from '../../../../words/preferences.tsx';

interface Props {
  filter: JournalFilter;
  onChange: (filter: JournalFilter) => void;
}

export function JournalFilters({ filter, onChange }: Props) {
  const { journal, webhooks } = useWords();
  return (
    <Filters>
      <SearchField
        key={filter.item}
        label={journal.item}
        maxLength={limits.listDeliveries_item}
        value={filter.item}
        onSubmit={(item) => onChange({ ...filter, item })}
      />
      <FilterChoice
        label={journal.status}
        any={journal.anyStatus}
        names={journal.statuses}
        known={STATUSES}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
      />
      <FilterChoice
        label={journal.event}
        any={journal.anyEvent}
        names={webhooks.eventNames}
        known={EVENTS}
        value={filter.event}
        onChange={(event) => onChange({ ...filter, event })}
      />
      <FilterChoice
        label={journal.code}
        any={journal.anyCode}
        names={journal.codes}
        known={CODES}
        value={filter.code}
        onChange={(code) => onChange({ ...filter, code })}
      />
      <FilterChoice
        label={journal.period}
        any={journal.anyPeriod}
        names={journal.periods}
        known={PERIODS}
        value={filter.period}
        onChange={(period) => onChange({ ...filter, period })}
      />
    </Filters>
  );
}
