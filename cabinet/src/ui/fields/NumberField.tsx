import { useState } from 'react';
import { useWords } from '../../words/preferences.tsx';
import { Field } from './Field.tsx';

interface Props {
  label: string;
  /** NaN while the text is no such number, so that a form can refuse it. */
  value: number | undefined;
  min: number;
  max: number;
  /** By default 1, for whole numbers. */
  step?: number;
  /** Whether it may not be empty. */
  isRequired?: boolean;
  onChange: (value: number | undefined) => void;
  fault?: string | null;
}

/** A number within bounds. */
export function NumberField({ label, value, min, max, step = 1, isRequired = false, onChange, fault = null }: Props) {
  const { codes } = useWords().fieldErrors;
  const [entered, setEntered] = useState({ text: textOf(value), value });
  // It is another number than the one typed here: that of another row, for example.
  if (!Object.is(entered.value, value)) setEntered({ text: textOf(value), value });
  const { text } = entered;
  const isMissing = isRequired && text === '';
  const isWrong = text !== '' && !isWithin(Number(text), min, max, step);
  const enter = (next: string): void => {
    const number = numberIn(next);
    setEntered({ text: next, value: number });
    onChange(number);
  };
  const numberIn = (next: string): number | undefined => {
    if (next === '') return isRequired ? Number.NaN : undefined;
    return isWithin(Number(next), min, max, step) ? Number(next) : Number.NaN;
  };
  return (
    <Field
      label={label}
      inputMode="decimal"
      value={text}
      onChange={(next) => enter(next.replace(',', '.'))}
      fault={isMissing || isWrong ? (codes[isMissing ? 'required' : 'invalid_value'] ?? null) : fault}
    />
  );
}

function textOf(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : String(value);
}

function isWithin(value: number, min: number, max: number, step: number): boolean {
  return value >= min && value <= max && (step !== 1 || Number.isInteger(value));
}
