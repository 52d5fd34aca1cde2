import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { cabinet } from '../../../data/client.ts';
import { usageQuery } from '../../../data/project/projectSettings.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Figures } from '../../../ui/tables/Figures.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { clock, useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { capabilityNames } from './capabilityNames.ts';
import { VolumeBar } from './VolumeBar.tsx';
import { VolumeChart } from './volume/VolumeChart.tsx';
import { lastMonths } from './volume/months.ts';

/** Shows the analysis volume of a month. */
export function Volume({ project }: { project: string }) {
  const words = useWords();
  const { volume } = words.settings;
  const format = useFormat();
  const { month } = useSearch({ from: '/shell/p/$project/settings' });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({ ...usageQuery(project, month), placeholderData: keepPreviousData });
  const months = lastMonths(new Date());
  const shown = month ?? data?.month ?? months[0] ?? '';
  const options = [...new Set([shown, ...months])].toSorted().toReversed();
  return (
    <Card title={volume.title}>
      <SelectField
        label={volume.month}
        value={shown}
        options={options.map((value) => ({ value, text: format.month(value) }))}
        onChange={(chosen) =>
          void navigate({
            to: '/p/$project/settings',
            params: { project },
            search: { month: chosen },
            replace: true,
            resetScroll: false,
          })
        }
      />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{words.table.loading}</p>}
      {data && (
        <>
          <VolumeBar usage={data} />
          <Hint>{volume.about}</Hint>
          <VolumeChart usage={data} />
          <Costs usage={data} />
          <Models rows={data.by} currency={data.currency} />
        </>
      )}
    </Card>
  );
}

/** Shows the cost of a month by capability if prices are known; nothing is estimated without a price. */
function Costs({ usage: { costs, currency } }: { usage: cabinet.Usage }) {
  const words = useWords();
  const { volume } = words.settings;
  const format = useFormat();
  if (currency === null) return null;
  const names = capabilityNames(words);
  const known = costs.flatMap(({ capability, cost }) => (cost === null ? [] : [{ capability, cost }]));
  const total = known.reduce((sum, { cost }) => sum + cost, 0);
  const unpriced = costs.reduce((sum, { unpriced_calls: calls }) => sum + calls, 0);
  return (
    <>
      {known.length > 0 && (
        <Figures
          figures={[
            { name: volume.cost, value: format.cost(total, currency) },
            ...known.map(({ capability, cost }) => ({
              name: names[capability] ?? capability,
              value: format.cost(cost, currency),
            })),
          ]}
        />
      )}
      {unpriced > 0 && <Hint>{volume.unpriced(format.number(unpriced))}</Hint>}
    </>
  );
}

function Models({ rows, currency }: { rows: cabinet.ModelUsage[]; currency: string | null }) {
  const words = useWords();
  const { volume } = words.settings;
  const format = useFormat();
  if (rows.length === 0) return <Hint>{volume.noCalls}</Hint>;
  const names = capabilityNames(words);
  const count = (value: number | null): string => (value === null ? '—' : format.number(value));
  const columns: Column<cabinet.ModelUsage>[] = [
    {
      key: 'model',
      title: volume.columns.model,
      cell: ({ capability, model }) => <RowTitle title={names[capability] ?? capability} detail={model} />,
    },
    { key: 'calls', title: volume.columns.calls, kind: 'number', cell: ({ calls }) => count(calls) },
    { key: 'input', title: volume.columns.input, kind: 'number', cell: (row) => count(row.input_tokens) },
    { key: 'output', title: volume.columns.output, kind: 'number', cell: (row) => count(row.output_tokens) },
    {
      key: 'audio',
      title: volume.columns.audio,
      kind: 'number',
      cell: ({ audio_seconds: seconds }) => (seconds === null ? '—' : clock(seconds)),
    },
    { key: 'images', title: volume.columns.images, kind: 'number', cell: ({ images }) => count(images) },
    {
      key: 'cost',
      title: volume.cost,
      kind: 'number',
      cell: ({ cost }) => (cost === null || currency === null ? '—' : format.cost(cost, currency)),
    },
  ];
  // Columns without any reported value are hidden.
  const isTold: Readonly<Record<string, boolean>> = {
    input: rows.some((row) => row.input_tokens !== null),
    output: rows.some((row) => row.output_tokens !== null),
    audio: rows.some((row) => row.audio_seconds !== null),
    images: rows.some((row) => row.images !== null),
    cost: rows.some((row) => row.cost !== null),
  };
  return (
    <DataTable
      label={volume.title}
      columns={columns.filter(({ key }) => isTold[key] ?? true)}
      rows={rows}
      idOf={({ step, capability, provider, model }) => `${step}/${capability}/${provider}/${model}`}
    />
  );
}
