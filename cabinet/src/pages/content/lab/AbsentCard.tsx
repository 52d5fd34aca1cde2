import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_LENGTHS, type LabSearch } from '../../../data/output/lab.ts';
import { itemSuggestions } from '../../../data/fieldSuggestions.ts';
import { placeQuery } from '../../../data/output/output.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { SuggestField } from '../../../ui/fields/SuggestField.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { PlaceOfItem } from './PlaceOfItem.tsx';

interface Props {
  project: string;
  search: LabSearch;
  onChange: (search: LabSearch) => void;
}

/** Asks why an item is not in the answer. */
export function AbsentCard({ project, search, onChange }: Props) {
  const { absent: words, lab } = useWords();
  const { absent } = search;
  const [draft, setDraft] = useState(absent ?? '');
  const ask = (): void => onChange({ ...search, absent: draft.trim() === '' ? undefined : draft.trim() });
  return (
    <Card title={words.title}>
      <Form onSubmit={ask}>
        <SuggestField
          label={words.item}
          hint={lab.itemHint}
          maxLength={MAX_LENGTHS.id}
          value={draft}
          suggest={(text) => itemSuggestions(project, text)}
          onChange={setDraft}
        />
        <Buttons>
          <Button type="submit">{words.ask}</Button>
        </Buttons>
      </Form>
      {absent !== undefined && <PlaceAnswer project={project} search={search} item={absent} />}
    </Card>
  );
}

function PlaceAnswer({ project, search, item }: Omit<Props, 'onChange'> & { item: string }) {
  const { absent: words, table } = useWords();
  const { data, error, refetch } = useQuery(placeQuery(project, search, item));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <p role="status">{table.loading}</p>;
  return (
    <>
      <PlaceOfItem project={project} item={item} place={data} />
      {search.change && <Hint>{words.ofQuestion}</Hint>}
    </>
  );
}
