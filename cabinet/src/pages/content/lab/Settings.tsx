import { useQuery } from '@tanstack/react-query';
import { MAX_LENGTHS, MAX_EXPLORATION, MAX_LIMIT, type LabSearch } from '../../../data/output/lab.ts';
import { dictionarySuggestions } from '../../../data/fieldSuggestions.ts';
import { surfacesQuery } from '../../../data/output/output.ts';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Row } from '../../../ui/fields/Form.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NumberField } from '../../../ui/fields/NumberField.tsx';
import { SuggestField } from '../../../ui/fields/SuggestField.tsx';
import { usePreferences, useWords } from '../../../words/preferences.tsx';
import { FilterRows } from '../filters/FilterRows.tsx';
import type { DraftProps } from './SubjectFields.tsx';

/** Edits the fields common to all requests. */
export function Settings({ project, draft, onChange }: DraftProps) {
  const { lab } = useWords();
  const { data: surfaces = [] } = useQuery(surfacesQuery(project));
  const isSuggest = draft.path === 'search/suggest';
  return (
    <>
      <Field
        label={lab.surface}
        hint={lab.surfaceHint}
        maxLength={MAX_LENGTHS.surface}
        list="lab-surfaces"
        value={draft.surface ?? ''}
        onChange={(surface) => onChange({ surface })}
      />
      <datalist id="lab-surfaces">
        {surfaces.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Row>
        <NumberField
          label={lab.limit}
          min={1}
          max={MAX_LIMIT}
          value={draft.limit}
          onChange={(limit) => onChange({ limit })}
        />
        <SeenChoice value={draft.seen} onChange={(seen) => onChange({ seen })} />
      </Row>
      {!isSuggest && <OrderFields draft={draft} onChange={onChange} />}
      {(draft.path ?? 'feed') === 'feed' && <PlaceFields draft={draft} onChange={onChange} />}
      <strong>{lab.filters}</strong>
      <FilterRows project={project} filters={draft.filters ?? []} onChange={(filters) => onChange({ filters })} />
    </>
  );
}

export function SeenChoice({
  value,
  onChange,
}: {
  value: boolean | undefined;
  onChange: (seen: boolean | undefined) => void;
}) {
  const { lab } = useWords();
  const chosen = value === undefined ? 'default' : value ? 'yes' : 'no';
  return (
    <SelectField
      label={lab.seen}
      value={chosen}
      options={(['default', 'yes', 'no'] as const).map((one) => ({ value: one, text: lab.seenChoices[one] }))}
      onChange={(next) => onChange(next === 'default' ? undefined : next === 'yes')}
    />
  );
}

type Tuning = Pick<LabSearch, 'diversity' | 'exploration'>;

export function OrderFields({ draft, onChange }: { draft: Tuning; onChange: (change: Tuning) => void }) {
  const { lab } = useWords();
  return (
    <Row>
      <NumberField
        label={lab.diversity}
        min={0}
        max={1}
        step={0.1}
        value={draft.diversity}
        onChange={(diversity) => onChange({ diversity })}
      />
      <NumberField
        label={lab.exploration}
        min={0}
        max={MAX_EXPLORATION}
        step={0.1}
        value={draft.exploration}
        onChange={(exploration) => onChange({ exploration })}
      />
    </Row>
  );
}

function PlaceFields({ draft: { city = '', country = '' }, onChange }: Omit<DraftProps, 'project'>) {
  const { lab } = useWords();
  const { language } = usePreferences();
  return (
    <>
      <Row>
        <SuggestField
          label={lab.city}
          maxLength={MAX_LENGTHS.place}
          value={city}
          suggest={(text) => dictionarySuggestions('cities', text, language)}
          onChange={(name) => onChange({ city: name })}
        />
        <SuggestField
          label={lab.country}
          maxLength={MAX_LENGTHS.place}
          value={country}
          suggest={(text) => dictionarySuggestions('countries', text, language)}
          onChange={(name) => onChange({ country: name })}
        />
      </Row>
      <Hint>{lab.placeHint}</Hint>
    </>
  );
}
