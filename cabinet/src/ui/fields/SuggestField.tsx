import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ComponentProps } from 'react';
import type { SuggestQuery } from '../../data/fieldSuggestions.ts';
import { Field } from './Field.tsx';
import { useDebounced } from './useDebounced.ts';

interface Props extends Omit<ComponentProps<typeof Field>, 'list' | 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
  suggest: (text: string) => SuggestQuery;
}

/** Debounce, so that a word causes one request. */
const DEBOUNCE_MS = 250;

/** A text field with the browser's native suggestions; anything else may be entered too. */
export function SuggestField({ value, suggest, ...props }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const typed = useDebounced(value.trim(), DEBOUNCE_MS);
  const { data = [] } = useQuery({ ...suggest(typed), enabled: isOpen });
  return (
    <>
      <Field {...props} value={value} list={id} onFocus={() => setOpen(true)} autoComplete="off" />
      <datalist id={id}>
        {data.map(({ value: one, about }) => (
          <option key={one} value={one} label={about} />
        ))}
      </datalist>
    </>
  );
}
