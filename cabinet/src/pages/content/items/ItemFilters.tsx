import {
  ITEM_STATUSES,
  ITEM_TYPES,
  LEVELS,
  ORIGINS,
  VISIBILITIES,
  type ItemListSearch,
} from '../../../data/items/itemFilter.ts';
import { limits } from '../../../data/apiLimits.ts';
import { FilterChoice } from '../../../ui/choices/FilterChoice.tsx';
import { Filters } from '../../../ui/choices/Filters.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  search: ItemListSearch;
  onChange: (change: ItemListSearch) => void;
}

/** Edits the filter and the view of items, both stored in the address. */
export function ItemFilters({ search, onChange }: Props) {
  const words = useWords();
  const { items } = words;
  return (
    <Filters>
      <SearchField
        key={search.q}
        label={items.search}
        maxLength={limits.listProjectItems_q}
        value={search.q}
        onSubmit={(q) => onChange({ q })}
      />
      <FilterChoice
        any={items.any}
        label={items.status}
        value={search.status}
        known={ITEM_STATUSES}
        names={words.statuses}
        onChange={(status) => onChange({ status })}
      />
      <FilterChoice
        any={items.any}
        label={items.columns.type}
        value={search.type}
        known={ITEM_TYPES}
        names={words.types}
        onChange={(type) => onChange({ type })}
      />
      <FilterChoice
        any={items.any}
        label={words.item.moderation}
        value={search.moderation}
        known={LEVELS}
        names={words.item.levels}
        onChange={(moderation) => onChange({ moderation })}
      />
      <FilterChoice
        any={items.any}
        label={items.visibility}
        value={search.visible}
        known={VISIBILITIES}
        names={items.visibilities}
        onChange={(visible) => onChange({ visible })}
      />
      <FilterChoice
        any={items.any}
        label={items.origin}
        value={search.origin}
        known={ORIGINS}
        names={items.origins}
        onChange={(origin) => onChange({ origin })}
      />
    </Filters>
  );
}
