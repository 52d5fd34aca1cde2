/** Selects the days of a page and the days they are compared with. The address stores the choice. */
import { useNavigate } from '@tanstack/react-router';
import { COMPARISONS, DEFAULT_PRESET, PRESETS, type Period } from '../../data/period.ts';
import { useWords } from '../../words/preferences.tsx';
import { SelectField } from './SelectField.tsx';
import { Field } from '../fields/Field.tsx';
import styles from './PeriodPicker.module.css';

interface Props {
  period: Period;
  /** Today's date at the site. */
  today: string;
  /** Whether the page compares days with others. */
  canCompare?: boolean;
}

const CUSTOM = 'own';
const NONE = 'none';

export function PeriodPicker({ period: { period, from, to, compare }, today, canCompare = true }: Props) {
  const { periods } = useWords();
  const navigate = useNavigate();
  const isCustom = from !== undefined && to !== undefined;
  const change = (next: Period): void =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, ...next }), replace: true, resetScroll: false });
  const move = (days: { from?: string; to?: string }): void => {
    const next = { from, to, ...days };
    // While it is typed, a date may be empty or in the future.
    if (next.from && next.to && next.from <= next.to && next.to <= today) change({ ...next, period: undefined });
  };
  return (
    <div className={styles.picker}>
      <SelectField
        label={periods.period}
        value={isCustom ? CUSTOM : (period ?? DEFAULT_PRESET)}
        options={[...PRESETS, CUSTOM].map((value) => ({
          value,
          text: periods.presets[value as keyof typeof periods.presets],
        }))}
        onChange={(value) => {
          const preset = PRESETS.find((one) => one === value);
          change(
            preset ? { period: preset, from: undefined, to: undefined } : { period: undefined, from: today, to: today },
          );
        }}
      />
      {isCustom && (
        <>
          <Field
            key={from}
            label={periods.from}
            type="date"
            defaultValue={from}
            onChange={(day) => move({ from: day })}
          />
          <Field key={to} label={periods.to} type="date" defaultValue={to} onChange={(day) => move({ to: day })} />
        </>
      )}
      {canCompare && (
        <SelectField
          label={periods.compare}
          value={compare ?? NONE}
          options={[NONE, ...COMPARISONS].map((value) => ({
            value,
            text: periods.comparisons[value as keyof typeof periods.comparisons],
          }))}
          onChange={(value) => change({ compare: COMPARISONS.find((one) => one === value) })}
        />
      )}
    </div>
  );
}
