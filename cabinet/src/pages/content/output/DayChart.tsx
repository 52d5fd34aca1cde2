import { useQuery } from '@tanstack/react-query';
import { TimeChart } from '../../../charts/TimeChart.tsx';
import { outputReportQuery, type ReportCriteria } from '../../../data/output/output.ts';
import { valuesByDay, type Measure } from '../../../data/output/outputSearch.ts';
import { listDays } from '../../../data/period.ts';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  project: string;
  wanted: Omit<ReportCriteria, 'group'>;
  measure: Measure;
}

/** Shows a measure by day, however the table is grouped. */
export function DayChart({ project, wanted, measure }: Props) {
  const { output, table } = useWords();
  const { day, number } = useFormat();
  const { data, error, refetch } = useQuery(outputReportQuery(project, { ...wanted, group: ['day'] }));
  const days = listDays({ from: wanted.from, to: wanted.until });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <p role="status">{table.loading}</p>;
  const name = output.measures[measure];
  return (
    <TimeChart
      title={name}
      labels={days.map(day)}
      series={[{ name, values: valuesByDay(data.rows, days, measure) }]}
      format={number}
    />
  );
}
