import { Check, CircleDashed, CircleX } from 'lucide-react';
import type { DeliveryDetail } from '../../../data/webhooks/webhooks.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { failureText } from '../webhook/journal/failureText.ts';
import { upcomingAttempts, RETRY_DELAYS_MS, type UpcomingAttempt } from './upcomingAttempts.ts';
import styles from './AttemptList.module.css';

const ALL_MS = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);

/** Shows past and scheduled attempts. */
export function AttemptList({ delivery }: { delivery: DeliveryDetail }) {
  const { delivery: words } = useWords();
  const { span } = useFormat();
  const { attempts, event, status } = delivery;
  const isTest = event === 'webhook.test';
  const upcoming = upcomingAttempts(delivery);
  const schedule = isTest ? words.testOnce : words.schedule(RETRY_DELAYS_MS.length + 1, span(ALL_MS));
  return (
    <Card title={words.attempts} aside={<span className={styles.soft}>{schedule}</span>}>
      {attempts.length + upcoming.length === 0 && <p>{words.noAttempt}</p>}
      <ol className={styles.list}>
        {attempts.map((attempt) => (
          <PastRow key={attempt.attempt} attempt={attempt} />
        ))}
        {upcoming.map((attempt) => (
          <UpcomingRow key={attempt.number} attempt={attempt} />
        ))}
      </ol>
      {status === 'failed' && !isTest && <p className={styles.soft}>{words.givenUp}</p>}
    </Card>
  );
}

function PastRow({ attempt }: { attempt: DeliveryDetail['attempts'][number] }) {
  const words = useWords();
  const { moment, span } = useFormat();
  const { attempt: number, started_at: at, duration_ms: took, response_status: status } = attempt;
  const isGood = attempt.error_code === null;
  const Icon = isGood ? Check : CircleX;
  return (
    <li className={styles.attempt} data-state={isGood ? 'received' : 'failed'}>
      <Icon aria-hidden size={18} className={styles.icon} />
      <div>
        <p>
          <strong>{words.delivery.attempt(number)}</strong> {isGood ? words.delivery.received : words.delivery.failed}
          {isGood && status !== null && ` · ${status}`}
        </p>
        {!isGood && <p>{failureText(attempt, words)}</p>}
        <p className={styles.soft}>
          {moment(at)} · {words.delivery.took(span(took))}
        </p>
      </div>
    </li>
  );
}

function UpcomingRow({ attempt: { number, at, afterMs } }: { attempt: UpcomingAttempt }) {
  const { delivery: words } = useWords();
  const { moment, span } = useFormat();
  const time = at === null ? null : moment(new Date(at).toISOString());
  const when =
    afterMs === null
      ? [time ?? words.soon]
      : [words.ifFails(span(afterMs)), ...(time === null ? [] : [words.about(time)])];
  return (
    <li className={styles.attempt} data-state={afterMs === null ? 'next' : 'later'}>
      <CircleDashed aria-hidden size={18} className={styles.icon} />
      <div>
        <p>
          <strong>{words.attempt(number)}</strong> {words.toCome}
        </p>
        <p className={styles.soft}>{when.join(', ')}</p>
      </div>
    </li>
  );
}
