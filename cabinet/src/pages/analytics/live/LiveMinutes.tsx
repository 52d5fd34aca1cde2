import { TimeChart } from '../../../charts/TimeChart.tsx';
import type { cabinet } from '../../../data/client.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './LivePage.module.css';

/** Shows the number of current visitors, and of those in each of the last minutes. */
export function LiveMinutes({ realtime }: { realtime: cabinet.Realtime }) {
  const { live } = useWords();
  const format = useFormat();
  const { now, last_30_minutes: recent, minutes, sampled } = realtime;
  return (
    <Card title={live.now}>
      <p className={styles.now}>
        <strong>{format.number(now)}</strong>
        <span>{live.recently(format.number(recent.people), format.number(recent.visits))}</span>
      </p>
      <TimeChart
        title={live.people}
        labels={minutes.map(({ at }) => format.time(at))}
        series={[{ name: live.people, values: minutes.map(({ people }) => people) }]}
        format={format.number}
      />
      <Hint>{sampled ? `${live.definition} ${live.sampled}` : live.definition}</Hint>
    </Card>
  );
}
