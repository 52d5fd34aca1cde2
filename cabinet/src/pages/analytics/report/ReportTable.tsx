import { Suspense, useState } from 'react';
import type { Days } from '../../../data/period.ts';
import { sortBy, type Change } from '../../../data/report/changes.ts';
import type { FindEarlierMetrics } from '../../../data/report/earlierRows.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import type { ReportState } from '../../../data/report/reportAddress.ts';
import type { Report } from '../../../data/sites/reports.ts';
import { lazyWithReload } from '../../../loading/reloadOutdated.ts';
import { useWords } from '../../../words/preferences.tsx';
import { useReportText, type ReportText } from '../parts/useReportText.ts';
import { ColumnHead } from './ColumnHead.tsx';
import { FigureCell } from './FigureCell.tsx';
import { RowMenu } from './RowMenu.tsx';
import styles from './ReportPage.module.css';

/** Loaded on demand for users who ask what a column means. */
const ColumnInfoDialog = lazyWithReload(async () => (await import('./ColumnInfoDialog.tsx')).ColumnInfoDialog);

/** A report with its request. */
export interface LoadedReport {
  state: ReportState;
  days: Days;
  report: Report;
}

/** The same report of earlier days. */
export interface EarlierReport {
  days: Days;
  report: Report;
  of: FindEarlierMetrics;
}

export interface TableProps {
  site: string;
  fields: ReportFields;
  loaded: LoadedReport;
  before: EarlierReport | null;
  onChange: (change: Change, isStep?: boolean) => void;
}

/** Shows the rows of a report under heads that sort and explain them. */
export function ReportTable({ site, fields, loaded, before, onChange }: TableProps) {
  const words = useWords();
  const text = useReportText(fields);
  const [asked, setAsked] = useState<string | null>(null);
  const { state, report } = loaded;
  const { by, show } = state;
  return (
    <div className={styles.scroll} role="group" aria-label={words.report.result} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {[...by, ...show].map((id, index) => (
              <ColumnHead
                key={`${index} ${id}`}
                title={text.title(id)}
                isNumber={index >= by.length}
                dir={dirOf(fields, state, id)}
                onSort={() => onChange(sortBy(fields, id))}
                onAsk={() => setAsked(id)}
              />
            ))}
            {by.length > 0 && (
              <th scope="col">
                <span className="heard">{words.segments.columns.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {report.data.map((row) => (
            <ReportRow
              key={JSON.stringify(row.dimensions)}
              site={site}
              fields={fields}
              loaded={loaded}
              before={before}
              onChange={onChange}
              text={text}
              row={row}
            />
          ))}
        </tbody>
        {by.length > 0 && <Totals text={text} loaded={loaded} before={before} />}
      </table>
      <Suspense>
        {asked !== null && (
          <ColumnInfoDialog fields={fields} loaded={loaded} field={asked} onClose={() => setAsked(null)} />
        )}
      </Suspense>
    </div>
  );
}

export interface RowProps extends TableProps {
  text: ReportText;
}

function ReportRow({ row: { dimensions, metrics }, ...props }: RowProps & { row: Report['data'][number] }) {
  const { text, loaded, before } = props;
  const { by, show } = loaded.state;
  const labels = dimensions.map((of, index) => text.label(by[index] ?? '', of));
  const earlier = before?.of(dimensions) ?? null;
  return (
    <tr>
      {labels.map((label, index) => (
        <td key={by[index]} data-unknown={dimensions[index] === null || undefined}>
          {label}
        </td>
      ))}
      {show.map((id, index) => (
        <FigureCell key={id} text={text} metric={id} now={metrics[index] ?? 0} before={earlier?.[index] ?? null} />
      ))}
      {by.length > 0 && (
        <td>
          <RowMenu {...props} labels={dimensions} name={labels.join(' · ')} />
        </td>
      )}
    </tr>
  );
}

function Totals({ text, loaded: { state, report }, before }: Pick<RowProps, 'text' | 'loaded' | 'before'>) {
  const words = useWords();
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={state.by.length}>
          {words.report.total}
        </th>
        {state.show.map((id, index) => (
          <FigureCell
            key={id}
            text={text}
            metric={id}
            now={report.totals[index] ?? 0}
            before={before ? (before.report.totals[index] ?? 0) : null}
          />
        ))}
        <td />
      </tr>
    </tfoot>
  );
}

/** Returns the sort direction of a column; without a choice it follows the server's default. */
function dirOf(fields: ReportFields, { by, show, sort }: ReportState, id: string): 'asc' | 'desc' | null {
  if (sort) return sort.field === id ? sort.dir : null;
  const time = by.find((one) => fields.dimensions.some((known) => known.id === one && known.is_time));
  if (time !== undefined) return id === time ? 'asc' : null;
  return id === show[0] ? 'desc' : null;
}
