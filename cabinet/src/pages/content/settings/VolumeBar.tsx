import type { cabinet } from '../../../data/client.ts';
import { Figures } from '../../../ui/tables/Figures.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './SettingsPage.module.css';

/** Shows the used share of a month's volume: a bar if there is a limit, and always numbers. */
export function VolumeBar({ usage: { used, reserved, limit } }: { usage: cabinet.Usage }) {
  const { volume } = useWords().settings;
  const format = useFormat();
  const share = (part: number): string => `${limit ? Math.min(100, (part / limit) * 100) : 0}%`;
  const isFull = limit !== null && used + reserved >= limit;
  return (
    <>
      {limit !== null && (
        <div aria-hidden className={`${styles.bar} ${isFull ? styles.full : ''}`}>
          <div className={styles.used} style={{ width: share(used) }} />
          <div className={styles.reserved} style={{ width: share(reserved) }} />
        </div>
      )}
      <Figures
        figures={[
          { name: volume.used, value: format.number(used) },
          { name: volume.reserved, value: format.number(reserved) },
          { name: volume.limit, value: limit === null ? volume.unlimited : format.number(limit) },
        ]}
      />
    </>
  );
}
