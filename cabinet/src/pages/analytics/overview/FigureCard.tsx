import type { Days } from '../../../data/period.ts';
import { conditionsOf, type SiteFilter } from '../../../data/sites/siteFilter.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { FigureChart } from './figures/FigureChart.tsx';
import { FIGURES, totalOf, type Figure } from './figures/figures.ts';
import { FigureTile } from './FigureTile.tsx';
import { NoVisits } from './NoVisits.tsx';
import { ReportNotes } from './ReportNotes.tsx';
import styles from './OverviewPage.module.css';
import { useFigureFormat } from './figures/useFigureFormat.ts';
import { useFigureReports, type FigureReports } from './figures/useFigureReports.ts';

interface Props {
  site: string;
  days: Days;
  before: Days | null;
  filter: SiteFilter;
  /** Currency of the site. */
  currency: string;
  /** The figure in the chart. */
  figure: Figure;
}

/** Shows all figures, and a chart of the selected one. */
export function FigureCard({ site, days, before, filter, currency, figure }: Props) {
  const { overview, table } = useWords();
  const textOf = useFigureFormat(currency);
  const now = useFigureReports(site, days, filter);
  const earlier = useFigureReports(site, before, filter);
  const error = now.error ?? earlier.error;
  const report = now.reportOf(figure);
  const isEmpty = valueIn(now, 'visits') === 0 && valueIn(now, 'conversions') === 0 && valueIn(now, 'revenue') === 0;
  return (
    <Card title={overview.figures}>
      {error && <Problem error={error} onRetry={() => [now, earlier].forEach(({ retry }) => retry())} />}
      <div className={styles.tiles}>
        {FIGURES.map((one) => (
          <FigureTile
            key={one}
            figure={one}
            isChosen={one === figure}
            value={valueIn(now, one)}
            before={before === null ? null : valueIn(earlier, one)}
            textOf={textOf}
          />
        ))}
      </div>
      <div className={styles.chart}>
        {!report && !error && <p role="status">{table.loading}</p>}
        {isEmpty && <NoVisits site={site} isFiltered={conditionsOf(filter).length > 0} />}
        {report && !isEmpty && (
          <FigureChart
            figure={figure}
            textOf={textOf}
            now={{ days, report }}
            before={before && { days: before, report: earlier.reportOf(figure) }}
          />
        )}
      </div>
      <Hint>{overview.definitions[figure]}</Hint>
      {report && <ReportNotes report={report} />}
    </Card>
  );
}

/** Returns null while it is unknown. */
function valueIn(reports: FigureReports, figure: Figure): number | null {
  const report = reports.reportOf(figure);
  return report ? totalOf(report, figure) : null;
}
