import { TimeChart } from '../../../charts/TimeChart.tsx';
import type { Pipeline } from '../../../data/items/pipeline.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

type Hour = Pipeline['hours'][number];

/** Shows how many analyses began and ended in each hour. */
export function Throughput({ hours }: { hours: readonly Hour[] }) {
  const { pipeline } = useWords();
  const format = useFormat();
  const came = hours.map(({ queued }) => queued);
  const finished = hours.map(({ ready, partial, failed }) => ready + partial + failed);
  const sum = (values: readonly number[]): string => format.number(values.reduce((total, value) => total + value, 0));
  return (
    <Card title={pipeline.throughput}>
      <TimeChart
        title={pipeline.throughput}
        labels={hours.map(({ hour }) => format.moment(hour))}
        series={[
          { name: pipeline.came, values: came, isComparison: true },
          { name: pipeline.finished, values: finished },
        ]}
        format={format.number}
        hasLegend
      />
      <Hint>
        {pipeline.throughputAbout(sum(came), sum(finished), sum(hours.map(({ partial, failed }) => partial + failed)))}
      </Hint>
    </Card>
  );
}
