import { TimeChart, type Series } from '../../../charts/TimeChart.tsx';
import { listDays, type Days } from '../../../data/period.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import type { Report } from '../../../data/sites/reports.ts';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { useReportText } from '../parts/useReportText.ts';
import type { EarlierReport, LoadedReport } from './ReportTable.tsx';

interface Props {
  fields: ReportFields;
  loaded: LoadedReport;
  before: EarlierReport | null;
}

/** Shows the first metric of a report by day, if all of its days are loaded. */
export function DayChart({ fields, loaded: { state, days, report }, before }: Props) {
  const { report: text } = useWords();
  const { title, value } = useReportText(fields);
  const format = useFormat();
  const [metric = ''] = state.show;
  const isByDay = state.by.length === 1 && state.by[0] === 'date' && report.rows === report.data.length;
  if (!isByDay || report.rows < 2) return null;
  const name = title(metric);
  const series: Series[] = [
    ...(before
      ? [
          {
            name: text.before,
            values: valuesOf(before.report, before.days),
            labels: listDays(before.days).map(format.day),
            isComparison: true,
          },
        ]
      : []),
    { name, values: valuesOf(report, days) },
  ];
  return (
    <TimeChart
      title={name}
      labels={listDays(days).map(format.day)}
      series={series}
      format={(of) => value(metric, of)}
    />
  );
}

/** Returns a value for each day; 0 for days without a row. */
function valuesOf({ data }: Report, days: Days): number[] {
  const values = new Map(data.map(({ dimensions: [day], metrics: [first = 0] }) => [day, first]));
  return listDays(days).map((day) => values.get(day) ?? 0);
}
