import { Link } from '@tanstack/react-router';
import { Bars } from '../../../charts/Bars.tsx';
import type { Report } from '../../../data/sites/reports.ts';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { Change } from './Change.tsx';
import { filterOfRow, rowKey, type ListDimension } from './lists.ts';
import { useCodeText } from './useCodeText.ts';

interface Props {
  listed: ListDimension;
  rows: Report['data'];
  /** The same rows on earlier days; null if they are not compared or unknown. */
  before: Report['data'] | null;
}

/** Shows the rows of a list as bars; a click on one filters the page by it. */
export function ListBars({ listed, rows, before }: Props) {
  const { dimensions } = useWords();
  const format = useFormat();
  const earlier =
    before && new Map(before.map(({ dimensions: labels, metrics: [value = 0] }) => [rowKey(labels), value]));
  const bars = rows.map(({ dimensions: labels, metrics: [value = 0] }) => {
    const key = rowKey(labels);
    const was = earlier?.get(key) ?? 0;
    return {
      key,
      value,
      label: <RowLabel listed={listed} labels={labels} />,
      ...(earlier &&
        labels[0] !== null && { aside: <Change now={value} before={was} good="up" text={format.number(was)} /> }),
    };
  });
  return <Bars title={dimensions[listed]} bars={bars} format={format.number} />;
}

function RowLabel({ listed, labels }: { listed: ListDimension; labels: Report['data'][number]['dimensions'] }) {
  const textOf = useCodeText();
  const [first = null, type = null] = labels;
  const kind = listed === 'source_name' ? textOf('source_type', type) : null;
  // Visits without a referrer have only a type and no name.
  const text = kind !== null && first === null ? kind : textOf(listed, first);
  const filter = filterOfRow(listed, labels);
  const detail = kind !== null && first !== null && <small> {kind}</small>;
  if (Object.keys(filter).length === 0) return text;
  return (
    <>
      <Link to="." search={(search) => ({ ...search, ...filter })} resetScroll={false}>
        {text}
      </Link>
      {detail}
    </>
  );
}
