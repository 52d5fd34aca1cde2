/** Selects the days of a page and the days they are compared with. The address stores the choice. */
import { useNavigate } from '@tanstack/react-router';
import { COMPARISONS, DEFAULT_PRESET, PRESETS, type Period } from '../../data/period.ts';
import { useWords } from '../../words/preferences.tsx';
import { CustomDays } from './CustomDays.tsx';
import { SelectField } from './SelectField.tsx';
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
        <CustomDays days={{ from, to }} today={today} onChange={(days) => change({ ...days, period: undefined })} />
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
