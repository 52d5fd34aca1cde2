import { useState } from 'react';
import * as changes from '../../../data/report/changes.ts';
import { dimensionOptions, metricOptions } from '../../../data/report/reportFields.ts';
import { refusalOf } from '../../../data/report/invalidCombinations.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { FieldList } from '../parts/filters/FieldList.tsx';
import { FilterDialog } from '../parts/filters/FilterDialog.tsx';
import { ParamKeyForm } from '../parts/filters/ParamKeyForm.tsx';
import { refusalText } from '../parts/refusalText.ts';
import { useReportText } from '../parts/useReportText.ts';
import type { BuilderProps } from './BuilderCard.tsx';

export type EditedPart = { part: 'by' | 'show' } | { part: 'where'; /** Null adds one. */ index: number | null };

interface Props extends BuilderProps {
  opened: EditedPart;
  onClose: () => void;
}

/** Chooses fields. Incompatible ones are disabled, with the reason. */
export function BuilderDialog({ site, fields, state, opened, onChange, onClose }: Props) {
  const words = useWords();
  const { report } = words;
  const { title } = useReportText(fields);
  const reasonFor = (change: changes.Change): string | null => {
    const refusal = refusalOf(fields, change(state));
    return refusal && refusalText(refusal, words, title);
  };
  if (opened.part === 'where') {
    const { index } = opened;
    return (
      <FilterDialog
        site={site}
        fields={fields}
        filter={index === null ? null : (state.where[index] ?? null)}
        about={report.filter.about}
        refusalOf={(dimension) => reasonFor(changes.putFilter({ dimension, op: 'eq', values: [] }))}
        onApply={(filter) => {
          onChange(changes.putFilter(filter, index ?? undefined));
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  const isBy = opened.part === 'by';
  const toggle = isBy ? changes.toggleDimension : changes.toggleMetric;
  return (
    <Modal title={report.pick[opened.part]} isOpen onClose={onClose}>
      <Options
        isBy={isBy}
        fields={fields}
        chosen={isBy ? state.by : state.show}
        refusalOf={(id) => reasonFor(toggle(id))}
        onToggle={(id) => onChange(toggle(id))}
      />
      <Buttons>
        <Button kind="primary" onPress={onClose}>
          {report.done}
        </Button>
      </Buttons>
    </Modal>
  );
}

interface OptionsProps {
  isBy: boolean;
  fields: BuilderProps['fields'];
  chosen: readonly string[];
  refusalOf: (id: string) => string | null;
  onToggle: (id: string) => void;
}

function Options({ isBy, fields, chosen, refusalOf: refusal, onToggle }: OptionsProps) {
  const [goal, setGoal] = useState<string | null>(null);
  const known = isBy ? dimensionOptions(fields) : metricOptions(fields, goal);
  return (
    <>
      {!isBy && fields.goals.length > 0 && <GoalChoice fields={fields} goal={goal} onChange={setGoal} />}
      <FieldList fields={fields} options={known} chosen={chosen} refusalOf={refusal} onToggle={onToggle} />
      {isBy && <ParamKeyForm fields={fields} onAdd={onToggle} />}
    </>
  );
}

const ANY = '*';

interface GoalProps {
  fields: BuilderProps['fields'];
  goal: string | null;
  onChange: (goal: string | null) => void;
}

function GoalChoice({ fields, goal, onChange }: GoalProps) {
  const { report } = useWords();
  return (
    <SelectField
      label={report.goal}
      value={goal ?? ANY}
      options={[
        { value: ANY, text: report.anyGoal },
        ...fields.goals.map(({ code, title }) => ({ value: code, text: title })),
      ]}
      onChange={(value) => onChange(value === ANY ? null : value)}
    />
  );
}
