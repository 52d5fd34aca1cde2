import { useState, type ReactNode } from 'react';
import { findDimension, findMetric, type Option, type ReportFields } from '../../../../data/report/reportFields.ts';
import { Checkbox } from '../../../../ui/choices/Checkbox.tsx';
import { Field } from '../../../../ui/fields/Field.tsx';
import { usePreferences } from '../../../../words/preferences.tsx';
import styles from './FieldList.module.css';
import { useReportText } from '../useReportText.ts';

interface Props {
  fields: ReportFields;
  options: readonly Option[];
  /** Null: exactly one is chosen, with a click. */
  chosen: readonly string[] | null;
  /** Returns why an option cannot be chosen or removed; null if it can. */
  refusalOf: (id: string) => string | null;
  onToggle: (id: string) => void;
}

/** Shows dimensions or metrics to choose from, with a search by name and with their meanings. */
export function FieldList({ fields, options, chosen, refusalOf, onToggle }: Props) {
  const { report } = usePreferences().words;
  const { title } = useReportText(fields);
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = options.filter(({ id }) => `${title(id)} ${id}`.toLowerCase().includes(wanted));
  return (
    <>
      <Field label={report.search} type="search" autoFocus value={search} onChange={setSearch} />
      <div className={styles.list}>
        {found.length === 0 && <p>{report.nothingFound}</p>}
        {groupsOf(found).map(([group, members]) => (
          <fieldset key={group} className={styles.group}>
            <legend>{report.groups[group]}</legend>
            {members.map(({ id }) => (
              <FieldOption
                key={id}
                isChosen={chosen?.includes(id) ?? null}
                refusal={refusalOf(id)}
                onToggle={() => onToggle(id)}
                about={<Definition fields={fields} id={id} />}
              >
                {title(id)}
              </FieldOption>
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
}

/** Groups options in their order. */
function groupsOf(options: readonly Option[]): [Option['group'], Option[]][] {
  const groups = new Map<Option['group'], Option[]>();
  for (const option of options) groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  return [...groups];
}

interface OptionProps {
  /** Null: a single choice among several. */
  isChosen: boolean | null;
  refusal: string | null;
  onToggle: () => void;
  about: ReactNode;
  children: string;
}

function FieldOption({ isChosen, refusal, onToggle, about, children }: OptionProps) {
  const text = (
    <>
      {children} <small className={styles.about}>{refusal ?? about}</small>
    </>
  );
  if (isChosen === null)
    return (
      <button type="button" className={styles.option} disabled={refusal !== null} onClick={onToggle}>
        {text}
      </button>
    );
  return (
    <Checkbox isSelected={isChosen} isDisabled={refusal !== null} onChange={onToggle}>
      {text}
    </Checkbox>
  );
}

function Definition({ fields, id }: { fields: ReportFields; id: string }) {
  const { language } = usePreferences();
  return (findDimension(fields, id) ?? findMetric(fields, id))?.definition[language];
}
