import type { cabinet } from '../../../data/client.ts';
import type { OutputReport } from '../../../data/output/output.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { isUndecided, rateText } from './rates.ts';

interface Props {
  experiment: cabinet.ExperimentReport;
  warnings: OutputReport['warnings'];
}

/** Smaller probabilities are shown only as a bound. */
const MIN_P = 0.01;

/** Compares the variants of an experiment. */
export function Experiment({ experiment: { id, surface, variants, sample_ratio_p: p }, warnings }: Props) {
  const words = useWords();
  const format = useFormat();
  const { output } = words;
  const { number } = format;
  const own = warnings.filter(({ experiment }) => experiment === id).map(({ code }) => code);
  const isMismatch = own.includes('sample_ratio');
  return (
    <Card title={output.experiment(id, surface)} level={3}>
      {/* No other figure is reliable while people are not divided as intended. */}
      {isMismatch && <Notice tone="bad">{output.warnings.sample_ratio}</Notice>}
      <DataTable
        label={output.experiment(id, surface)}
        rows={variants}
        idOf={({ name }) => name}
        columns={[
          { key: 'name', title: output.variant, cell: ({ name }) => name },
          { key: 'share', kind: 'number', title: output.share, cell: ({ share }) => `${number(share * 100)} %` },
          { key: 'people', kind: 'number', title: output.people, cell: ({ people }) => number(people) },
          {
            key: 'requests',
            kind: 'number',
            title: output.measures.requests,
            cell: ({ requests }) => number(requests),
          },
          {
            key: 'opens',
            kind: 'number',
            title: output.measures.opens,
            cell: ({ rates }) => rateText(rates.opens, words, format),
          },
          {
            key: 'difference',
            kind: 'number',
            title: output.difference,
            cell: ({ difference }) =>
              difference === null ? (
                output.none
              ) : (
                <span>
                  {rateText(difference.opens, words, format)}
                  {isUndecided(difference.opens) && <Hint>{output.undecided}</Hint>}
                </span>
              ),
          },
        ]}
      />
      {p !== null && <Hint>{output.sampleRatio(p < MIN_P ? `< ${number(MIN_P)}` : number(Number(p.toFixed(2))))}</Hint>}
      {own
        .filter((code) => code !== 'sample_ratio')
        .map((code) => (
          <Hint key={code}>{output.warnings[code]}</Hint>
        ))}
    </Card>
  );
}
