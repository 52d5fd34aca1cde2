import { findDimension, findMetric, type ReportFields } from '../../../data/report/reportFields.ts';
import { pageRequestOf } from '../../../data/report/reportAddress.ts';
import { Command } from '../../../ui/dialogs/Command.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { usePreferences } from '../../../words/preferences.tsx';
import { useReportText } from '../parts/useReportText.ts';
import styles from './ReportPage.module.css';
import type { LoadedReport } from './ReportTable.tsx';

interface Props {
  fields: ReportFields;
  loaded: LoadedReport;
  /** A dimension or a metric. */
  field: string;
  onClose: () => void;
}

/** Explains a column: its definition, attribution, period, robots, sampling, and the API request. */
export function ColumnInfoDialog({ fields, loaded: { state, days, report }, field, onClose }: Props) {
  const { language, words } = usePreferences();
  const { report: text } = words;
  const { aboutParts: parts } = text;
  const { title, label } = useReportText(fields);
  const known = findDimension(fields, field) ?? findMetric(fields, field);
  return (
    <Modal title={title(field)} isOpen onClose={onClose}>
      <p>{known?.definition[language]}</p>
      <dl className={styles.facts}>
        {known?.attribution && (
          <>
            <dt>{parts.attribution}</dt>
            <dd>{known.attribution[language]}</dd>
          </>
        )}
        <dt>{text.attribution}</dt>
        <dd>{text.attributions[state.attribution ?? 'last_significant']}</dd>
        <dt>{parts.period}</dt>
        <dd>
          {label('date', days.from)} – {label('date', days.to)}, {report.timezone}
        </dd>
        <dt>{parts.robots}</dt>
        <dd>{text.robotsNames[state.robots ?? 'exclude']}</dd>
        <dt>{parts.sample}</dt>
        <dd>{report.sampled ? text.sampled : parts.whole}</dd>
      </dl>
      <p>{parts.curl}</p>
      <Command text={curlOf(pageRequestOf(state, days))} />
      <Hint>{parts.key}</Hint>
    </Modal>
  );
}

/** A single quote would end the shell's string. */
function curlOf(request: object): string {
  const body = JSON.stringify(request).replaceAll("'", String.raw`'\''`);
  return [
    `curl -X POST ${location.origin}/analytics/api/v1/reports \\`,
    `  -H "Authorization: Bearer $SITE_KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
