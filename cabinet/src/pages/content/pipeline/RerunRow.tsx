import type { Rerun } from '../../../data/items/pipeline.ts';
import { Badge, type Tone } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Progress } from '../../../ui/messages/Progress.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import type { Words } from '../../../words/en/index.ts';
import { reasonText } from '../../../words/reasonText.ts';
import styles from './PipelinePage.module.css';

const TONES: Record<Rerun['state'], Tone> = { running: 'busy', done: 'good', replaced: 'quiet', cancelled: 'warn' };

interface Props {
  rerun: Rerun;
  /** Number of items in the project; null while unknown. */
  max: number | null;
  /** Absent if the user may not stop it. */
  onStop?: () => void;
}

/** Shows one rerun: its subject, start and progress. */
export function RerunRow({ rerun, max, onStop }: Props) {
  const words = useWords();
  const { reruns } = words.pipeline;
  const format = useFormat();
  const { state, seen, done } = rerun;
  return (
    <li className={styles.run}>
      <div className={styles.head}>
        <strong>{describeRerun(rerun, words)}</strong>
        <Badge tone={TONES[state]}>{reruns.states[state]}</Badge>
      </div>
      {state === 'running' && <Progress label={reruns.running} value={seen} max={max} />}
      <div className={styles.head}>
        <Hint>
          {format.moment(rerun.created_at)} · {reruns.progress(format.number(seen), format.number(done))}
        </Hint>
        {state === 'running' && onStop && (
          <Button kind="quiet" onPress={onStop}>
            {reruns.stop}
          </Button>
        )}
      </div>
    </li>
  );
}

/** `Failed · Speech · Provider does not answer`. */
function describeRerun({ reason, status, steps, error_code: code }: Rerun, words: Words): string {
  const { reruns } = words.pipeline;
  const items = status === null ? (code === null ? [reruns.all] : []) : [words.statuses[status]];
  return [
    ...(reason === 'model' ? [reruns.ofModel] : items),
    ...(steps ?? []).map((step) => words.steps[step]),
    ...(code === null ? [] : [reasonText(words, code)]),
  ].join(' · ');
}
