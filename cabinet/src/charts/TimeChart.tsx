/**
 * Shows values over time as lines, which are read with the pointer, with the arrow keys, or as a table by a screen
 * reader.
 */
import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { Axis } from './Axis.tsx';
import { Legend } from './Legend.tsx';
import { linePath, yScale } from './scale.ts';
import { kindOf, type Series } from './series.ts';
import styles from './TimeChart.module.css';

export type { Series } from './series.ts';

interface Props {
  /** The subject of the chart, for screen readers. */
  title: string;
  labels: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
  /** Whether it has a legend. */
  hasLegend?: boolean;
}

export function TimeChart({ title, labels, series, format, hasLegend = false }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const { top, ticks } = yScale(series.flatMap(({ values }) => values));
  const last = labels.length - 1;
  const point = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.round(((clientX - left) / width) * last))));
  };
  const step = (event: KeyboardEvent): void => {
    const next = STEPS[event.key]?.(at ?? last, last);
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, next)));
  };
  return (
    <figure className={styles.chart}>
      {hasLegend && <Legend series={series} />}
      <Axis ticks={ticks} top={top} format={format} />
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={at ?? Math.max(0, last)}
        aria-valuetext={textAt(at ?? last, { labels, series, format })}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        onKeyDown={step}
      >
        <svg aria-hidden viewBox="0 0 1000 1000" preserveAspectRatio="none" className={styles.lines}>
          {ticks.map((tick) => (
            <line key={tick} x1="0" x2="1000" y1={1000 - (tick / top) * 1000} y2={1000 - (tick / top) * 1000} />
          ))}
          {series.map(({ name, values, ...kind }) => (
            <path key={name} d={linePath(values, top)} data-kind={kindOf(kind)} />
          ))}
        </svg>
        {at !== null && <ChartTooltip at={at} labels={labels} series={series} format={format} />}
      </div>
      <p aria-hidden className={styles.ends}>
        <span>{labels[0]}</span>
        {last > 0 && <span>{labels[last]}</span>}
      </p>
    </figure>
  );
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

type ChartData = Pick<Props, 'labels' | 'series' | 'format'>;

const valueAt = ({ values }: Series, at: number, format: Props['format']): string => {
  const { [at]: value = 0 } = values;
  return value === null ? '—' : format(value);
};

const labelAt = (at: number, own: readonly string[] | undefined, labels: readonly string[]): string =>
  (own ?? labels)[at] ?? '';

function textAt(at: number, { labels, series, format }: ChartData): string {
  return series.map((one) => `${labelAt(at, one.labels, labels)}, ${one.name}: ${valueAt(one, at, format)}`).join('; ');
}

/** Shows the values at one time, beside a line through it. Lines may have different times, which are then shown. */
function ChartTooltip({ at, labels, series, format }: ChartData & { at: number }) {
  const share = labels.length > 1 ? at / (labels.length - 1) : 0;
  const isOfOne = series.every(({ labels: own }) => own === undefined);
  return (
    <>
      <span className={styles.mark} style={{ left: `${share * 100}%` }} />
      <div className={styles.tooltip} data-side={share > 0.5 ? 'left' : 'right'} style={{ left: `${share * 100}%` }}>
        {isOfOne && <p>{labels[at]}</p>}
        <dl>
          {series.map((one) => (
            <div key={one.name}>
              <dt>{isOfOne ? one.name : `${labelAt(at, one.labels, labels)} · ${one.name}`}</dt>
              <dd>{valueAt(one, at, format)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}
