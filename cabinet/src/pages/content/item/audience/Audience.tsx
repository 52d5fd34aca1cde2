import { useState, type ReactNode } from 'react';
import { TimeChart } from '../../../../charts/TimeChart.tsx';
import type { ItemStatistics } from '../../../../data/items/items.ts';
import { titleOfType } from '../../../../data/project/eventTypes.ts';
import { SelectField } from '../../../../ui/choices/SelectField.tsx';
import { Figures } from '../../../../ui/tables/Figures.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { IMPRESSIONS, usualMeasure, valuesOf, type TypeTotal } from './measures.ts';
import styles from './Audience.module.css';

/**
 * Shows the totals of some days, and a chart of one total by day.
 * @param children shown beside the choice of the chart
 */
export function Audience({ statistics, children }: { statistics: ItemStatistics; children: ReactNode }) {
  const words = useWords();
  const { audience } = words;
  const { day, number } = useFormat();
  const [chosen, setChosen] = useState<string | null>(null);
  const { impressions, people, types } = statistics.totals;
  const titleOf = ({ type, title }: TypeTotal): string => titleOfType({ code: type, title }, words);
  const measures = [
    { value: IMPRESSIONS, text: audience.impressions },
    ...types.map((one) => ({ value: one.type, text: titleOf(one) })),
  ];
  const measure = measures.find(({ value }) => value === chosen)?.value ?? usualMeasure(statistics);
  const name = measures.find(({ value }) => value === measure)?.text ?? measure;
  return (
    <>
      <div className={styles.choices}>
        {children}
        <SelectField label={audience.byDay} value={measure} options={measures} onChange={setChosen} />
      </div>
      <Figures
        figures={[
          { name: audience.impressions, value: number(impressions) },
          ...(people === null ? [] : [{ name: audience.people, value: number(people) }]),
          ...types.map((type) => ({ name: titleOf(type), value: <Total type={type} /> })),
        ]}
      />
      <TimeChart
        title={name}
        labels={statistics.days.map((one) => day(one.day))}
        series={[{ name, values: valuesOf(statistics, measure) }]}
        format={number}
      />
      <Hint>{audience.about}</Hint>
    </>
  );
}

/** Shows the number of events, and their revenue or average value. */
function Total({ type }: { type: TypeTotal }) {
  const { number } = useFormat();
  const amount = useAmount(type);
  return (
    <>
      {number(type.events)}
      {amount !== null && <p className={styles.amount}>{amount}</p>}
    </>
  );
}

function useAmount({ value_kind: kind, value_average: average, is_purchase: isPurchase, revenue }: TypeTotal) {
  const { audience } = useWords();
  const { duration, number, percent } = useFormat();
  if (isPurchase) return audience.revenue(number(revenue));
  if (average === null || kind === 'none') return null;
  if (kind === 'percent') return audience.average(percent(average / 100));
  return audience.average(kind === 'watch_seconds' ? duration(average) : number(average));
}
