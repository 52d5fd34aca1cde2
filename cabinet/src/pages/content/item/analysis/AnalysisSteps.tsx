import { Check, CircleDashed, CircleX, Clock, Loader, Minus, type LucideIcon } from 'lucide-react';
import type { Item } from '../../../../data/items/items.ts';
import { STEPS, type Step } from '../../../../data/items/steps.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { reasonOf } from './remedies.ts';
import styles from './AnalysisSteps.module.css';

type State = Item['steps'][Step]['state'];

const ICONS: Record<State, LucideIcon> = {
  queued: CircleDashed,
  running: Loader,
  done: Check,
  skipped: Minus,
  failed: CircleX,
  deferred: Clock,
  waiting: Clock,
};

/** Shows the result of each analysis step, its model, and the reason for a failure. */
export function AnalysisSteps({ item }: { item: Item }) {
  const { item: words } = useWords();
  return (
    <Card title={words.steps}>
      <ol className={styles.steps}>
        {STEPS.map((step) => (
          <StepRow key={step} item={item} step={step} />
        ))}
      </ol>
    </Card>
  );
}

function StepRow({ item, step }: { item: Item; step: Step }) {
  const words = useWords();
  const format = useFormat();
  const { model, retry_at: retryAt } = item.steps[step];
  const state = item.processing[step];
  const error = item.processing_errors?.[step];
  const Icon = ICONS[state];
  return (
    <li className={styles.step} data-state={state}>
      <Icon aria-hidden size={18} className={styles.icon} />
      <div className={styles.text}>
        <p>
          <strong>{words.steps[step]}</strong> {words.states[state]}
          {retryAt !== null && `, ${words.item.nextTry(format.moment(retryAt))}`}
        </p>
        {error && (
          <p className={styles.reason}>
            {reasonOf(item, step, words)} <code>{error.code}</code>
          </p>
        )}
        {model !== null && <p className={styles.model}>{model}</p>}
      </div>
    </li>
  );
}
