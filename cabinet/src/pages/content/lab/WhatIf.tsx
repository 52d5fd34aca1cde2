import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasFaultyNumber } from '../../../data/output/faultyNumber.ts';
import { hasChange, type Change, type LabSearch } from '../../../data/output/lab.ts';
import { surfacesQuery } from '../../../data/output/output.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Form, Row } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { OrderFields, SeenChoice } from './Settings.tsx';

interface Props {
  project: string;
  search: LabSearch;
  onChange: (search: LabSearch) => void;
}

/** Edits a change of the question. The answer to the changed question is then shown beside the previous one. */
export function WhatIf({ project, search, onChange }: Props) {
  const { lab } = useWords();
  const [draft, setDraft] = useState<Change>(search.change ?? {});
  const set = (next: Partial<Change>): void => setDraft((former) => ({ ...former, ...next }));
  const isSuggest = search.path === 'search/suggest';
  const compare = (): void => {
    if (!hasFaultyNumber(draft)) onChange({ ...search, change: hasChange(draft) ? draft : undefined });
  };
  return (
    <Card title={lab.whatIf}>
      <Hint>{lab.whatIfAbout}</Hint>
      <Form onSubmit={compare}>
        <Row>
          <SeenChoice value={draft.seen} onChange={(seen) => set({ seen })} />
          <SurfaceChoice project={project} value={draft.surface} onChange={(surface) => set({ surface })} />
        </Row>
        {!isSuggest && <OrderFields draft={draft} onChange={set} />}
        {search.user !== undefined && (
          <>
            <Checkbox
              isSelected={draft.impersonal ?? false}
              onChange={(is) => set({ impersonal: is ? true : undefined })}
            >
              {lab.impersonal}
            </Checkbox>
            <Hint>{lab.impersonalHint}</Hint>
          </>
        )}
        {search.filters && (
          <Checkbox
            isSelected={draft.unfiltered ?? false}
            onChange={(is) => set({ unfiltered: is ? true : undefined })}
          >
            {lab.unfiltered}
          </Checkbox>
        )}
        <Buttons>
          <Button kind="primary" type="submit">
            {lab.compare}
          </Button>
          {search.change && <Button onPress={() => onChange({ ...search, change: undefined })}>{lab.clear}</Button>}
        </Buttons>
      </Form>
    </Card>
  );
}

const SAME = 'same:';
const NONE = 'none:';

interface SurfaceProps {
  project: string;
  /** Undefined keeps the question's value; empty means none. */
  value: string | undefined;
  onChange: (surface: string | undefined) => void;
}

function SurfaceChoice({ project, value, onChange }: SurfaceProps) {
  const { lab } = useWords();
  const { data = [] } = useQuery(surfacesQuery(project));
  const names = new Set([...data.map(({ name }) => name), ...(value ? [value] : [])]);
  return (
    <SelectField
      label={lab.otherSurface}
      value={value === undefined ? SAME : value === '' ? NONE : value}
      options={[
        { value: SAME, text: lab.sameSurface },
        { value: NONE, text: lab.noSurface },
        ...[...names].map((name) => ({ value: name, text: name })),
      ]}
      onChange={(chosen) => onChange(chosen === SAME ? undefined : chosen === NONE ? '' : chosen)}
    />
  );
}
