/** Edits a list of conditions on the properties of items. */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import {
  isList,
  isYesNo,
  OPS,
  textOfValue,
  valueOf,
  type Filter,
  type FilterOp,
} from '../../../data/output/propertyFilters.ts';
import { limits } from '../../../data/apiLimits.ts';
import type { Property } from '../../../data/project/projectSettings.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './FilterRows.module.css';
import { useFilterable } from './useFilterable.tsx';

interface Props {
  project: string;
  filters: readonly Filter[];
  onChange: (filters: Filter[]) => void;
  /** Returns the server's fault of the filter at an index. */
  faultAt?: (index: number) => string | null;
}

export function FilterRows({ project, filters, onChange, faultAt }: Props) {
  const { lab } = useWords();
  const { properties, isKnown, note } = useFilterable(project);
  const [first] = properties;
  const replace = (index: number, next: Filter): void => onChange(filters.with(index, next));
  if (!isKnown || (!first && filters.length === 0)) return note;
  return (
    <>
      {filters.map((filter, index) => (
        <FilterRow
          // Rows have no identity except their index.
          key={index}
          known={properties}
          filter={filter}
          onChange={(next) => replace(index, next)}
          onRemove={() => onChange(filters.toSpliced(index, 1))}
          fault={faultAt?.(index) ?? null}
        />
      ))}
      {first && (
        <span>
          <Button
            isDisabled={filters.length >= limits.putSurface_defaults_filters}
            onPress={() => onChange([...filters, startOf(first)])}
          >
            <Plus aria-hidden size={16} />
            {lab.addFilter}
          </Button>
        </span>
      )}
    </>
  );
}

/** Returns an empty condition on a property. */
export function startOf({ name, type }: Property): Filter {
  const [op = 'eq'] = OPS[type];
  return { property: name, op, value: valueOf('', op, type) };
}

interface RowProps {
  known: readonly Property[];
  filter: Filter;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
  /** Label of the remove button; by default that of removing a filter. */
  removeLabel?: string;
  fault: string | null;
}

export function FilterRow({ known, filter, onChange, onRemove, removeLabel, fault }: RowProps) {
  const { lab } = useWords();
  const { property: name, op, value } = filter;
  // A condition on a property whose declaration has changed is kept.
  const property = known.find((one) => one.name === name);
  const type = property?.type ?? 'string';
  const ops = OPS[type].includes(op) ? OPS[type] : [op, ...OPS[type]];
  const names = property ? known : [{ name }, ...known];
  const move = (next: string): void => {
    const found = known.find((one) => one.name === next);
    if (found) onChange(startOf(found));
  };
  const ask = (next: FilterOp): void =>
    onChange({ ...filter, op: next, value: valueOf(textOfValue(value), next, type) });
  return (
    <div className={styles.row}>
      <SelectField
        label={lab.property}
        value={name}
        options={names.map((one) => ({ value: one.name, text: one.name }))}
        onChange={move}
        fault={fault}
      />
      <SelectField
        label={lab.op}
        value={op}
        options={ops.map((one) => ({ value: one, text: lab.ops[one] }))}
        onChange={ask}
      />
      {isYesNo(op, type) ? (
        <SelectField
          label={lab.value}
          value={String(value !== false)}
          options={[
            { value: 'true', text: lab.yes },
            { value: 'false', text: lab.no },
          ]}
          onChange={(next) => onChange({ ...filter, value: next === 'true' })}
        />
      ) : (
        <ValueField key={`${name} ${op}`} filter={filter} type={type} onChange={onChange} />
      )}
      <Button kind="quiet" aria-label={removeLabel ?? lab.removeFilter(name)} onPress={onRemove}>
        <X aria-hidden size={16} />
      </Button>
    </div>
  );
}

interface ValueProps {
  filter: Filter;
  type: Property['type'];
  onChange: (filter: Filter) => void;
}

function ValueField({ filter, type, onChange }: ValueProps) {
  const { lab } = useWords();
  const [entered, setEntered] = useState(() => ({ text: textOfValue(filter.value), value: filter.value }));
  // It is another value than the one typed here: that of a row that has moved up.
  if (entered.value !== filter.value) setEntered({ text: textOfValue(filter.value), value: filter.value });
  const enter = (text: string): void => {
    const value = valueOf(text, filter.op, type);
    setEntered({ text, value });
    onChange({ ...filter, value });
  };
  return (
    <Field label={lab.value} value={entered.text} onChange={enter} {...(isList(filter.op) && { hint: lab.listHint })} />
  );
}
