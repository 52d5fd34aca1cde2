import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { clock, useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import type { Player } from './usePlayer.ts';
import styles from './Player.module.css';

const SPEEDS = ['0.5', '1', '2', '4', '8'] as const;
type Speed = (typeof SPEEDS)[number];

export function PlayerControls({ player: { state, send }, duration }: { player: Player; duration: number }) {
  const { recording } = useWords();
  const format = useFormat();
  const [speed, setSpeed] = useState<Speed>('1');
  const [skips, setSkips] = useState(false);
  const chooseSpeed = (value: Speed): void => {
    setSpeed(value);
    send({ type: 'speed', value: Number(value) });
  };
  const chooseSkips = (isOn: boolean): void => {
    setSkips(isOn);
    send({ type: 'skip', isOn });
  };
  const speeds = SPEEDS.map((value) => ({ value, text: recording.speedOf(format.number(Number(value))) }));
  return (
    <div className={styles.controls}>
      <Button
        kind="primary"
        isDisabled={state.until === 0}
        onPress={() => send({ type: state.isPlaying ? 'pause' : 'play' })}
      >
        {state.isPlaying ? <Pause aria-hidden size={16} /> : <Play aria-hidden size={16} />}
        {state.isPlaying ? recording.pause : recording.play}
      </Button>
      <span className={styles.clock}>
        {clock(state.at / 1000)} / {clock(duration / 1000)}
      </span>
      <Checkbox isSelected={skips} onChange={chooseSkips}>
        {recording.skip}
      </Checkbox>
      <SelectField label={recording.speed} value={speed} options={speeds} onChange={chooseSpeed} />
    </div>
  );
}
