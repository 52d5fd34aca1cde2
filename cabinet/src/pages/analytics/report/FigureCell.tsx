import { changeOf } from '../../../data/report/earlierRows.ts';
import { useWords } from '../../../words/preferences.tsx';
import type { ReportText } from '../parts/useReportText.ts';

interface Props {
  text: ReportText;
  metric: string;
  now: number;
  /** Null if it is not compared, or cannot be. */
  before: number | null;
}

/** Shows a figure, its earlier value, and the change. */
export function FigureCell({ text, metric, now, before }: Props) {
  const { report } = useWords();
  const change = before === null ? null : changeOf(now, before);
  return (
    <td data-kind="number">
      {text.value(metric, now)}
      {before !== null && (
        <small>
          {change !== null && <b>{text.change(change)}</b>} {report.was(text.value(metric, before))}
        </small>
      )}
    </td>
  );
}
