import { useState } from 'react';
import {
  LAB_PATHS,
  MAX_LENGTHS,
  withoutFaultyNumbers,
  type LabPath,
  type LabSearch,
} from '../../../data/output/lab.ts';
import { hasFaultyNumber } from '../../../data/output/faultyNumber.ts';
import { PERSON_KINDS } from '../../../data/project/people.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Disclosure } from '../../../ui/layout/Disclosure.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Settings } from './Settings.tsx';
import { SubjectFields } from './SubjectFields.tsx';

interface Props {
  project: string;
  search: LabSearch;
  onAsk: (search: LabSearch) => void;
}

/** Edits the question, which is asked only on submission. */
export function LabForm({ project, search, onAsk }: Props) {
  const { lab } = useWords();
  const [draft, setDraft] = useState(search);
  const { path = 'feed', user = '', kind = 'user_id' } = draft;
  const set = (next: Partial<LabSearch>): void => setDraft((former) => ({ ...former, ...next }));
  return (
    <Form onSubmit={() => hasFaultyNumber(draft) || onAsk(withoutEmpty(draft))}>
      <SelectField<LabPath>
        label={lab.path}
        value={path}
        options={LAB_PATHS.map((value) => ({ value, text: lab.paths[value] }))}
        hint={lab.pathHints[path]}
        onChange={(next) => setDraft((former) => ({ ...withoutFaultyNumbers(former), path: next }))}
      />
      <SubjectFields project={project} draft={draft} onChange={set} />
      <Field
        label={lab.person}
        hint={lab.personHint}
        maxLength={MAX_LENGTHS.id}
        value={user}
        onChange={(text) => set({ user: text })}
      />
      {user !== '' && (
        <SelectField
          label={lab.kind}
          value={kind}
          options={PERSON_KINDS.map((value) => ({ value, text: lab.kinds[value] }))}
          onChange={(next) => set({ kind: next })}
        />
      )}
      <Disclosure title={lab.more} isOpen={hasSettings(search)}>
        <Settings project={project} draft={draft} onChange={set} />
      </Disclosure>
      <Buttons>
        <Button kind="primary" type="submit">
          {lab.ask}
        </Button>
      </Buttons>
    </Form>
  );
}

function hasSettings({ surface, limit, seen, diversity, exploration, city, country, filters }: LabSearch): boolean {
  return [surface, limit, seen, diversity, exploration, city, country, filters].some((value) => value !== undefined);
}

/** Returns the question for the address, without empty fields. */
function withoutEmpty({ items = [], filters = [], ...rest }: LabSearch): LabSearch {
  const trimmed = Object.entries(rest).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]);
  const said = Object.fromEntries(trimmed.filter(([, value]) => value !== '')) as LabSearch;
  const ids = items.map((id) => id.trim()).filter((id) => id !== '');
  return {
    ...said,
    kind: said.user === undefined ? undefined : said.kind,
    items: ids.length > 0 ? ids : undefined,
    filters: filters.length > 0 ? filters : undefined,
  };
}
