import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { refreshGoals, type Goal } from '../../../data/sites/goals.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Columns } from '../parts/Columns.tsx';
import { CallCard } from './CallCard.tsx';
import { draftOf, missing, NEW, putOf, tryOf, TYPES, wrongFieldsOf, type Draft, type WrongField } from './goalDraft.ts';
import { NameFields, ValueField } from './GoalFields.tsx';
import { MatchFields } from './MatchFields.tsx';
import { TryCard, useTry } from './TryCard.tsx';

const FIELDS = ['', 'title', 'type', 'match', 'value', 'enabled'];

interface Props {
  site: Site;
  fields: ReportFields;
  /** Null creates a new one. */
  goal: Goal | null;
  /** The site's other goals. */
  others: readonly Goal[];
}

/** Edits a goal, beside the hits that its condition would have matched. */
export function GoalEditor({ site, fields, goal, others }: Props) {
  const words = useWords();
  const { goal: text } = words;
  const mayChange = useMayChange();
  const [draft, setDraft] = useState<Draft>(() => (goal === null ? NEW : draftOf(goal)));
  /** Which fields were validated: trying validates those of the condition, saving validates all. */
  const [checked, setChecked] = useState<'none' | 'condition' | 'all'>('none');
  const put = useSaveGoal(site.id);
  const navigate = useNavigate();
  const leave = () => navigate({ to: '/s/$site/goals', params: { site: site.id } });
  const tried = useTry(site.id);
  const set = (change: Partial<Draft>): void => setDraft((former) => ({ ...former, ...change }));
  const wrong = wrongFieldsOf(draft, new Set(others.map(({ code }) => code)));
  const isWrong = (fault: WrongField): boolean => checked === 'all' && wrong.has(fault);
  const save = (): void => {
    setChecked('all');
    // Not called for a user who has opened another page meanwhile.
    if (wrong.size === 0) put.mutate(draft, { onSuccess: leave });
  };
  const asked = tryOf(draft);
  const tryOut = (): void => {
    if (checked === 'none') setChecked('condition');
    if (asked !== null && missing(draft).length === 0) tried.mutate(asked);
  };
  const shared = { draft, isWrong, error: put.error, onChange: set };
  return (
    <Columns>
      <Card title={text.made}>
        <Form onSubmit={save} error={put.error} fields={FIELDS}>
          <NameFields isNew={goal === null} {...shared} />
          <SelectField
            label={text.type}
            hint={text.typesAbout[draft.type]}
            value={draft.type}
            options={TYPES.map((value) => ({ value, text: text.types[value] }))}
            onChange={(type) => set({ type })}
            fault={faultOf(put.error, 'type', words)}
          />
          <MatchFields
            site={site.id}
            fields={fields}
            draft={draft}
            errors={[put.error, tried.error]}
            wasSubmitted={checked !== 'none'}
            onChange={set}
          />
          <ValueField currency={site.currency} {...shared} />
          <Checkbox isSelected={draft.isEnabled} onChange={(isEnabled) => set({ isEnabled })}>
            {text.enabled}
          </Checkbox>
          <Buttons>
            <Button kind="primary" type="submit" isDisabled={!mayChange} isPending={put.isPending}>
              {text.save}
            </Button>
          </Buttons>
          <Hint>{mayChange ? text.fromNow : words.refusals.owner}</Hint>
        </Form>
      </Card>
      {asked === null ? <CallCard code={draft.code} /> : <TryCard asked={asked} tried={tried} onTry={tryOut} />}
    </Columns>
  );
}

function useSaveGoal(site: string) {
  return useMutation({
    mutationFn: (draft: Draft) => api.putGoal({ path: { id: site, code: draft.code }, body: putOf(draft) }),
    onSuccess: () => refreshGoals(site),
  });
}
