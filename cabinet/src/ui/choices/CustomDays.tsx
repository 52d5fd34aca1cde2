import { useState } from 'react';
import { isDay, type Days } from '../../data/period.ts';
import { useWords } from '../../words/preferences.tsx';
import { Field } from '../fields/Field.tsx';

interface Props {
  days: Days;
  /** Today's date at the site. */
  today: string;
  onChange: (days: Days) => void;
}

/**
 * Selects the first and the last day. Both keep what is typed until they are a period: a year is typed digit by digit,
 * and a later period begins after the end of the former one.
 */
export function CustomDays({ days, today, onChange }: Props) {
  const { periods } = useWords();
  const [typed, setTyped] = useState({ days, ...days });
  if (typed.days.from !== days.from || typed.days.to !== days.to) setTyped({ days, ...days });
  const enter = (part: Partial<Days>): void => {
    const next = { from: typed.from, to: typed.to, ...part };
    setTyped({ days, ...next });
    if (isDay(next.from) && isDay(next.to) && next.from <= next.to && next.to <= today) onChange(next);
  };
  return (
    <>
      <Field label={periods.from} type="date" value={typed.from} onChange={(from) => enter({ from })} />
      <Field label={periods.to} type="date" value={typed.to} onChange={(to) => enter({ to })} />
    </>
  );
}
