import type { ReactNode } from 'react';
import { TimeChart } from '../../../charts/TimeChart.tsx';
import type { WebhookStatistics } from '../../../data/webhooks/webhooks.ts';
import { Figures } from '../../../ui/tables/Figures.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { daySteps, hourSteps, isByDay, totalsOf } from './hourTotals.ts';
import styles from './HourCharts.module.css';

/** @param isOld whether another span is being loaded */
export function HourCharts({ statistics, isOld }: { statistics: WebhookStatistics; isOld: boolean }) {
  const { hours: words } = useWords().webhook;
  const format = useFormat();
  const { hours, backlog } = statistics;
  const { attempts, failed, isQuiet } = totalsOf(statistics);
  if (isQuiet) return <p>{words.quiet}</p>;
  const isOfDays = isByDay(hours);
  const steps = isOfDays ? daySteps(hours, localDay) : hourSteps(hours);
  const about = isOfDays ? words.ofDays : words.ofHours;
  const labels = steps.map(({ at }) => (isOfDays ? format.day(at) : format.moment(at)));
  return (
    <div className={styles.hours} aria-busy={isOld}>
      <Figures
        figures={[
          { name: words.attempts, value: format.number(attempts) },
          {
            name: words.failed,
            value: attempts === 0 ? '0' : words.share(format.number(failed), format.percent(failed / attempts)),
          },
          { name: words.waiting, value: format.number(backlog.events) },
        ]}
      />
      {backlog.since !== null && <Hint>{words.waitingSince(format.moment(backlog.since))}</Hint>}
      <div className={styles.charts}>
        <Chart title={words.attempts} about={about.attempts}>
          <TimeChart
            title={words.attempts}
            labels={labels}
            series={[
              { name: words.attempts, values: steps.map((step) => step.attempts) },
              { name: words.failed, values: steps.map((step) => step.failed), isError: true },
            ]}
            format={format.number}
            hasLegend
          />
        </Chart>
        <Chart title={words.p95} about={about.p95}>
          <TimeChart
            title={words.p95}
            labels={labels}
            series={[{ name: words.p95, values: steps.map(({ p95_ms: p95 }) => p95) }]}
            format={format.latency}
          />
        </Chart>
        <Chart title={words.backlog} about={about.backlog}>
          <TimeChart
            title={words.backlog}
            labels={labels}
            series={[{ name: words.backlog, values: steps.map((step) => step.backlog) }]}
            format={format.number}
          />
        </Chart>
      </div>
    </div>
  );
}

/** Returns the day of a time in the user's time zone. */
function localDay(iso: string): string {
  // The Swedish date format equals ISO dates.
  return new Date(iso).toLocaleDateString('sv');
}

function Chart({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <article className={styles.chart}>
      <h3>{title}</h3>
      {children}
      <Hint>{about}</Hint>
    </article>
  );
}
