import { useState } from 'react';
import { useWords } from '../../words/preferences.tsx';
import { Field } from './Field.tsx';

interface Props {
  label: string;
  value: number | undefined;
  min: number;
  max: number;
  /** By default 1, for whole numbers. */
  step?: number;
  onChange: (value: number | undefined) => void;
  fault?: string | null;
}

/** An optional number within bounds. */
export function NumberField({ label, value, min, max, step = 1, onChange, fault = null }: Props) {
  const { fieldErrors } = useWords();
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const isWrong = text !== '' && !isWithin(Number(text), min, max, step);
  const enter = (next: string): void => {
    setText(next);
    const number = Number(next);
    onChange(next !== '' && isWithin(number, min, max, step) ? number : undefined);
  };
  return (
    <Field
      label={label}
      inputMode="decimal"
      value={text}
      onChange={(next) => enter(next.replace(',', '.'))}
      fault={isWrong ? (fieldErrors.codes['invalid_value'] ?? null) : fault}
    />
  );
}

function isWithin(value: number, min: number, max: number, step: number): boolean {
  return value >= min && value <= max && (step !== 1 || Number.isInteger(value));
}
