import { TimeChart, type Series } from '../../../../charts/TimeChart.tsx';
import type { Days } from '../../../../data/period.ts';
import type { Report } from '../../../../data/sites/reports.ts';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { isHourly, stepsOf, valuesOf, type Figure } from './figures.ts';

interface Props {
  figure: Figure;
  now: { days: Days; report: Report };
  before: { days: Days; report: Report | undefined } | null;
  textOf: (figure: Figure, value: number) => string;
}

/** Shows a figure by hour or by day, with earlier days as a dashed line behind it. */
export function FigureChart({ figure, now, before, textOf }: Props) {
  const { overview } = useWords();
  const format = useFormat();
  const name = overview.figureNames[figure];
  const labelsOf = (days: Days): string[] =>
    isHourly(days)
      ? stepsOf(days).map((hour) => `${format.day(days.from)}, ${hour}:00`)
      : stepsOf(days).map(format.day);
  const series: Series[] = [{ name, values: valuesOf(now.report, figure, now.days) }];
  if (before?.report)
    series.unshift({
      name: overview.before,
      values: valuesOf(before.report, figure, before.days),
      labels: labelsOf(before.days),
      isComparison: true,
    });
  return (
    <TimeChart title={name} labels={labelsOf(now.days)} series={series} format={(value) => textOf(figure, value)} />
  );
}
