import { Plus } from 'lucide-react';
import { useId } from 'react';
import { useMayChange } from '../../../data/account/rights.ts';
import { MAX_WEBHOOKS } from '../../../data/webhooks/webhooks.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './WebhooksPage.module.css';

/**
 * Opens the form, or explains why no more webhooks can be added.
 * @param count number of existing webhooks
 */
export function AddWebhook({ count, onPress }: { count: number; onPress: () => void }) {
  const { webhooks, item } = useWords();
  const hint = useId();
  const mayChange = useMayChange();
  const isFull = count >= MAX_WEBHOOKS;
  return (
    <div className={styles.add}>
      <Button kind="primary" isDisabled={!mayChange || isFull} aria-describedby={hint} onPress={onPress}>
        <Plus aria-hidden size={16} />
        {webhooks.add}
      </Button>
      <p id={hint} className={styles.hint}>
        {!mayChange ? item.needsOwner : isFull && webhooks.full(MAX_WEBHOOKS)}
      </p>
    </div>
  );
}
