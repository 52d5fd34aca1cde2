import { TimeChart } from '../../../../charts/TimeChart.tsx';
import type { cabinet } from '../../../../data/client.ts';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { volumeDays } from './volumeDays.ts';

/**
 * Shows the units of a month by day. Usage from before days were recorded is stated in words, as the chart cannot show
 * it.
 */
export function VolumeChart({ usage }: { usage: cabinet.Usage }) {
  const { volume } = useWords().settings;
  const format = useFormat();
  const days = volumeDays(usage, new Date());
  const known = days.reduce((sum, { used }) => sum + used, 0);
  if (usage.used === 0 || days.length === 0) return null;
  return (
    <>
      {known > 0 && (
        <TimeChart
          title={volume.byDay}
          labels={days.map(({ day }) => format.day(day))}
          series={[{ name: volume.used, values: days.map(({ used }) => used) }]}
          format={format.number}
        />
      )}
      {known < usage.used && <Hint>{volume.unknownDays(format.number(usage.used - known))}</Hint>}
    </>
  );
}
