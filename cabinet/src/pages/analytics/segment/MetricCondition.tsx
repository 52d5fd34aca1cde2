import { X } from 'lucide-react';
import { COMPARISONS, isFinished, type MetricLeaf } from '../../../data/report/conditions.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { useReportText } from '../parts/useReportText.ts';
import styles from './SegmentPage.module.css';

interface Props {
  fields: ReportFields;
  leaf: MetricLeaf;
  isTried: boolean;
  onChange: (leaf: MetricLeaf) => void;
  onRemove: () => void;
}

/** Edits a condition on a figure of the visit. */
export function MetricCondition({ fields, leaf, isTried, onChange, onRemove }: Props) {
  const { segments } = useWords();
  const { title } = useReportText(fields);
  return (
    <div className={styles.metric}>
      <SelectField
        label={segments.metric}
        value={leaf.metric}
        options={optionsOf(fields, leaf.metric).map((value) => ({ value, text: title(value) }))}
        onChange={(metric) => onChange({ ...leaf, metric })}
      />
      <SelectField
        label={segments.comparison}
        value={leaf.op}
        options={COMPARISONS.map((value) => ({ value, text: segments.comparisons[value] }))}
        onChange={(op) => onChange({ ...leaf, op })}
      />
      <Field
        label={segments.number}
        inputMode="decimal"
        maxLength={15}
        value={leaf.value}
        onChange={(value) => onChange({ ...leaf, value })}
        fault={isTried && !isFinished(leaf) ? segments.badNumber : null}
      />
      <Button kind="quiet" aria-label={segments.removeCondition(title(leaf.metric))} onPress={onRemove}>
        <X aria-hidden size={16} />
      </Button>
    </div>
  );
}

/** Returns metrics that are meaningful for one visit, those of goals also for each goal. */
function optionsOf({ metrics, goals }: ReportFields, chosen: string): string[] {
  const known = metrics
    .filter((metric) => metric.in_segments)
    .flatMap(({ id, parameter }) => (parameter === null ? [id] : [id, ...goals.map(({ code }) => `${id}:${code}`)]));
  // The goal of a stored condition may no longer exist.
  return known.includes(chosen) ? known : [...known, chosen];
}
