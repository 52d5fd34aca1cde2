/** Fields of a project's settings that not every user of it may change. */
import type { cabinet } from '../../../data/client.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Row } from '../../../ui/fields/Form.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { isWhole, LIMITS, type Draft, type DraftChanges } from './generalDraft.ts';

interface Props {
  role: cabinet.Me['role'];
  draft: Draft;
  onChange: (change: DraftChanges) => void;
}

/** Lets only administrators suspend a project and resume it. */
export function StateField({ project, role, draft, onChange }: Props & { project: cabinet.Project }) {
  const { general } = useWords().settings;
  const isSuspended = project.state === 'suspended' && role !== 'admin';
  const states = (['active', 'archived', 'suspended'] as const).filter(
    (state) => role === 'admin' || state !== 'suspended' || project.state === state,
  );
  return (
    <SelectField
      label={general.state}
      hint={isSuspended ? general.suspended : general.stateHint}
      isDisabled={role === 'viewer' || isSuspended}
      value={draft.state}
      options={states.map((value) => ({ value, text: general.states[value] }))}
      onChange={(state) => onChange({ state })}
    />
  );
}

interface LimitProps extends Props {
  /** Whether saving was attempted; the form shows no faults of its own before that. */
  isTried: boolean;
  /** The server's error. */
  error: Error | null;
}

/** Shows limits to everybody, and lets administrators change them. */
export function LimitFields({ role, draft, isTried, error, onChange }: LimitProps) {
  const words = useWords();
  const { general, wholeNumber, number: positiveNumber } = words.settings;
  const isAdmin = role === 'admin';
  const sentences = { 0: wholeNumber, 1: positiveNumber };
  const number = (value: string, sent: string, least: 0 | 1, hint: string) => ({
    hint: isAdmin ? hint : words.refusals.admin,
    inputMode: 'numeric' as const,
    isDisabled: !isAdmin,
    value,
    fault: isTried && !isWhole(value, least) ? sentences[least] : faultOf(error, sent, words),
  });
  return (
    <>
      <Field
        label={general.volume}
        {...number(draft.volume, 'monthly_volume', 0, general.noVolume)}
        onChange={(volume) => onChange({ volume })}
      />
      <Row>
        {LIMITS.map((limit) => (
          <Field
            key={limit}
            label={general.limits[limit]}
            {...number(draft.limits[limit], `limits.${limit}`, 1, general.limitHints[limit])}
            onChange={(value) => onChange({ limits: { [limit]: value } })}
          />
        ))}
      </Row>
    </>
  );
}
