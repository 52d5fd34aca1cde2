import type { Recovery } from '../../../data/webhooks/webhooks.ts';
import { useFormat, type Format } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import type { Words } from '../../../words/en/index.ts';
import styles from './WebhookPage.module.css';

/** Shows the progress of the latest recovery. */
export function RecoveryProgress({ recovery }: { recovery: Recovery }) {
  const words = useWords();
  const format = useFormat();
  const { state, since, total, done, skipped } = recovery;
  return (
    <div className={styles.progress}>
      <p className={styles.hint}>{words.webhook.recoverRange(format.moment(since))}</p>
      {state === 'running' && (
        <progress
          aria-label={words.webhook.recoverRunning}
          {...(total !== null && { value: done + skipped, max: total })}
        />
      )}
      <p role="status">{progressText(recovery, words, format)}</p>
      {skipped > 0 && <p className={styles.hint}>{words.webhook.recoverSkipped(format.number(skipped))}</p>}
    </div>
  );
}

function progressText({ state, total, done, skipped }: Recovery, { webhook }: Words, { number }: Format): string {
  if (state === 'cancelled') return webhook.recoverCancelled(number(done));
  if (state === 'done') return done + skipped === 0 ? webhook.recoverNothing : webhook.recoverDone(number(done));
  if (total === null && done === 0) return webhook.recoverCounting;
  return webhook.recoverProgress(number(done), total === null ? '…' : number(total));
}
