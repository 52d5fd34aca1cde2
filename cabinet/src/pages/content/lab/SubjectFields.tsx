import { Plus, X } from 'lucide-react';
import { MAX_LENGTHS, maxItems, PERIODS, type LabPath, type LabSearch } from '../../../data/output/lab.ts';
import { dictionarySuggestions, itemSuggestions } from '../../../data/fieldSuggestions.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { SuggestField } from '../../../ui/fields/SuggestField.tsx';
import { usePreferences, useWords } from '../../../words/preferences.tsx';
import styles from './LabPage.module.css';

export interface DraftProps {
  project: string;
  draft: LabSearch;
  onChange: (change: Partial<LabSearch>) => void;
}

/** Edits the subject of the chosen path. */
export function SubjectFields(props: DraftProps) {
  const { path = 'feed' } = props.draft;
  switch (path) {
    case 'feed':
      return null;
    case 'similar':
      return <OneItem {...props} />;
    case 'next':
    case 'together':
      return <SeveralItems {...props} path={path} />;
    case 'popular':
      return <PopularFields {...props} />;
    case 'search':
    case 'search/suggest':
      return <QueryField {...props} />;
  }
}

function QueryField({ draft: { query = '' }, onChange }: DraftProps) {
  const { lab } = useWords();
  return (
    <Field
      label={lab.query}
      type="search"
      maxLength={MAX_LENGTHS.query}
      value={query}
      onChange={(text) => onChange({ query: text })}
    />
  );
}

function OneItem({ project, draft: { items: [item = ''] = [] }, onChange }: DraftProps) {
  const { lab } = useWords();
  return (
    <SuggestField
      label={lab.item}
      hint={lab.itemHint}
      maxLength={MAX_LENGTHS.id}
      value={item}
      suggest={(text) => itemSuggestions(project, text)}
      onChange={(id) => onChange({ items: [id] })}
    />
  );
}

function SeveralItems({ project, path, draft, onChange }: DraftProps & { path: LabPath }) {
  const { lab } = useWords();
  const max = maxItems(path);
  const items = (draft.items ?? ['']).slice(0, max);
  return (
    <>
      {items.map((item, index) => (
        <div
          // Rows have no identity except their index.
          key={index}
          className={styles.subject}
        >
          <SuggestField
            label={lab.itemNumber(index + 1)}
            maxLength={MAX_LENGTHS.id}
            value={item}
            suggest={(text) => itemSuggestions(project, text)}
            onChange={(id) => onChange({ items: items.with(index, id) })}
          />
          {items.length > 1 && (
            <Button
              kind="quiet"
              aria-label={lab.removeItem(item === '' ? lab.itemNumber(index + 1) : item)}
              onPress={() => onChange({ items: items.toSpliced(index, 1) })}
            >
              <X aria-hidden size={16} />
            </Button>
          )}
        </div>
      ))}
      <span>
        <Button isDisabled={items.length >= max} onPress={() => onChange({ items: [...items, ''] })}>
          <Plus aria-hidden size={16} />
          {lab.addItem}
        </Button>
      </span>
    </>
  );
}

function PopularFields({ draft: { period = '7d', rising, region = '' }, onChange }: DraftProps) {
  const { lab } = useWords();
  const { language } = usePreferences();
  return (
    <>
      <SelectField
        label={lab.period}
        value={period}
        options={PERIODS.map((value) => ({ value, text: lab.periods[value] }))}
        onChange={(next) => onChange({ period: next })}
      />
      <Checkbox isSelected={rising ?? false} onChange={(is) => onChange({ rising: is ? true : undefined })}>
        {lab.rising}
      </Checkbox>
      <SuggestField
        label={lab.region}
        maxLength={MAX_LENGTHS.region}
        value={region}
        suggest={(text) => dictionarySuggestions('cities', text, language)}
        onChange={(name) => onChange({ region: name })}
      />
    </>
  );
}
