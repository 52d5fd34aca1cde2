import { Suspense, useState } from 'react';
import * as changes from '../../../data/report/changes.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import { refusalOf, type Refusal } from '../../../data/report/invalidCombinations.ts';
import type { ReportState } from '../../../data/report/reportAddress.ts';
import { lazyWithReload } from '../../../loading/reloadOutdated.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Chips, type Chip } from '../parts/Chips.tsx';
import { refusalText } from '../parts/refusalText.ts';
import { useReportText } from '../parts/useReportText.ts';
import styles from './ReportPage.module.css';
import type { EditedPart } from './BuilderDialog.tsx';
import { Settings } from './Settings.tsx';

// Loaded on demand, so that the page shows its figures first.
const BuilderDialog = lazyWithReload(async () => (await import('./BuilderDialog.tsx')).BuilderDialog);

export interface BuilderProps {
  site: string;
  fields: ReportFields;
  state: ReportState;
  onChange: (change: changes.Change) => void;
}

/** Shows the parts of a report: dimensions, metrics, filters, and its visits. */
export function BuilderCard({ site, fields, state, onChange }: BuilderProps) {
  const words = useWords();
  const { report } = words;
  const { title, filter } = useReportText(fields);
  const [opened, setOpened] = useState<EditedPart | null>(null);
  const { refusal, attempt } = useCheckedChange({ fields, state, onChange });
  const chipOf = (id: string, remove: changes.Change): Chip => ({
    id,
    text: title(id),
    removeLabel: report.without(title(id)),
    onRemove: () => attempt(remove),
  });
  return (
    <Card title={report.made}>
      <Part title={report.by} add={report.add.by} onAdd={() => setOpened({ part: 'by' })} none={report.noneBy}>
        {state.by.map((id) => chipOf(id, changes.toggleDimension(id)))}
      </Part>
      <Part title={report.show} add={report.add.show} onAdd={() => setOpened({ part: 'show' })}>
        {state.show.map((id) => chipOf(id, changes.toggleMetric(id)))}
      </Part>
      <Part
        title={report.where}
        add={report.add.where}
        onAdd={() => setOpened({ part: 'where', index: null })}
        none={report.noneWhere}
      >
        {state.where.map((one, index) => ({
          id: `${index} ${one.dimension}`,
          text: filter(one),
          onChange: () => setOpened({ part: 'where', index }),
          changeLabel: report.change(filter(one)),
          removeLabel: report.without(filter(one)),
          onRemove: () => attempt(changes.removeFilter(index)),
        }))}
      </Part>
      {refusal && (
        <div role="status">
          <Hint>{refusalText(refusal, words, title)}</Hint>
        </div>
      )}
      <Settings site={site} state={state} onChange={onChange} />
      <Suspense>
        {opened && (
          <BuilderDialog
            site={site}
            fields={fields}
            state={state}
            opened={opened}
            onChange={onChange}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </Card>
  );
}

/** Returns a function that makes a change unless it is invalid, and the reason why the last one was not made. */
function useCheckedChange({ fields, state, onChange }: Omit<BuilderProps, 'site'>) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const attempt = (change: changes.Change): void => {
    const refused = refusalOf(fields, change(state));
    // A report that was invalid before, by an edited address, may be corrected step by step.
    const isWorse = refused !== null && refusalOf(fields, state) === null;
    setRefusal(isWorse ? refused : null);
    if (!isWorse) onChange(change);
  };
  return { refusal, attempt };
}

interface PartProps {
  title: string;
  add: string;
  onAdd: () => void;
  /** Text shown if nothing is chosen. */
  none?: string;
  children: Chip[];
}

function Part({ title, add, onAdd, none, children: chips }: PartProps) {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      <div className={styles.chosen}>
        <Chips label={title} chips={chips} />
        {chips.length === 0 && none !== undefined && <Hint>{none}</Hint>}
        <Button kind="quiet" onPress={onAdd}>
          + {add}
        </Button>
      </div>
    </div>
  );
}
