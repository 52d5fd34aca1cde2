import type { OutputReport, ReportRow } from '../../../data/output/output.ts';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat, type Format } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import type { Words } from '../../../words/en/index.ts';
import { placeText, rateText } from './rates.ts';

export function ReportTable({ report: { rows, group } }: { report: OutputReport }) {
  const words = useWords();
  const format = useFormat();
  const { output } = words;
  const { number } = format;
  const columns: Column<ReportRow>[] = [
    ...group.map((by): Column<ReportRow> => ({
      key: by,
      title: output.groups[by],
      cell: (row) => keyText(by, row, words, format),
    })),
    { key: 'requests', kind: 'number', title: output.measures.requests, cell: (row) => number(row.requests) },
    { key: 'people', kind: 'number', title: output.people, cell: (row) => number(row.people) },
    { key: 'impressions', kind: 'number', title: output.measures.impressions, cell: (row) => number(row.impressions) },
    {
      key: 'opens',
      kind: 'number',
      title: output.measures.opens,
      cell: (row) => (
        <span>
          {number(row.opens)}
          {row.rates.opens && <Hint>{output.perRequest(rateText(row.rates.opens, words, format))}</Hint>}
        </span>
      ),
    },
    { key: 'goals', kind: 'number', title: output.measures.goals, cell: (row) => number(row.goals) },
    { key: 'purchases', kind: 'number', title: output.measures.purchases, cell: (row) => number(row.purchases) },
    { key: 'revenue', kind: 'number', title: output.measures.revenue, cell: (row) => number(row.revenue) },
    {
      key: 'fallback',
      kind: 'number',
      title: output.fallback,
      cell: ({ fallback_share: share }) => (
        <span title={output.fallbackHint}>{share === null ? output.none : `${number(round(share * 100))} %`}</span>
      ),
    },
    {
      key: 'latency',
      kind: 'number',
      title: output.latency,
      cell: ({ latency_ms: { p95 } }) => (p95 === null ? output.none : format.span(Math.round(p95))),
    },
  ];
  return <DataTable label={output.report} columns={columns} rows={rows} idOf={(row) => keyOf(row)} />;
}

const round = (value: number): number => Number(value.toFixed(1));

function keyOf({ surface, position, variant, day }: ReportRow): string {
  return JSON.stringify([surface, position, variant, day]);
}

function keyText(by: OutputReport['group'][number], row: ReportRow, words: Words, format: Format): string {
  const { output } = words;
  switch (by) {
    case 'surface':
      return row.surface ?? output.noSurface;
    case 'day':
      return format.day(row.day ?? '');
    case 'position':
      return placeText(row.position ?? -1, words, format);
    case 'variant':
      return row.variant ? `${row.variant.experiment}: ${row.variant.name ?? row.variant.index + 1}` : output.noVariant;
  }
}
