import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { api, AttuneError } from '../../../data/client.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { pathOf, refreshWebhook, type WebhookIds, type WebhookTest } from '../../../data/webhooks/webhooks.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { failureText } from './journal/failureText.ts';
import styles from './WebhookPage.module.css';

type Test = UseMutationResult<WebhookTest, Error, void>;

export function useTest(ids: WebhookIds): Test {
  return useMutation({
    mutationFn: async () => (await api.testWebhook({ path: pathOf(ids) })).data,
    onSettled: () => refreshWebhook(ids),
  });
}

export function TestButton({ test }: { test: Test }) {
  const { webhook: words, item } = useWords();
  const mayChange = useMayChange();
  return (
    <div className={styles.test}>
      <Button kind="primary" isDisabled={!mayChange} isPending={test.isPending} onPress={() => test.mutate()}>
        <Send aria-hidden size={16} />
        {words.test}
      </Button>
      {!mayChange && <p className={styles.hint}>{item.needsOwner}</p>}
    </div>
  );
}

/** Shows the receiver's response to the test as soon as it arrives. */
export function TestOutcome({ ids, test: { data, error, isPending } }: { ids: WebhookIds; test: Test }) {
  const words = useWords();
  if (isPending) return null;
  if (error instanceof AttuneError && error.status === 429)
    return <Notice tone="warn">{words.webhook.testsUsedUp(Math.ceil((error.retryAfter ?? 60) / 60))}</Notice>;
  if (error) return <Problem error={error} />;
  if (!data) return null;
  const delivery = (
    <Link to="/p/$project/webhooks/$webhook/deliveries/$delivery" params={{ ...ids, delivery: data.delivery_id }}>
      {words.webhook.seeDelivery}
    </Link>
  );
  if (data.ok)
    return (
      <Notice tone="good" title={words.webhook.testTaken(data.status ?? 200)}>
        {delivery}
      </Notice>
    );
  if (data.code === null)
    return (
      <Notice tone="warn" title={words.webhook.testWaits}>
        {delivery}
      </Notice>
    );
  const failure = { error_code: data.code, response_status: data.status, error: data.error };
  return (
    <Notice tone="bad" title={words.webhook.testFailed}>
      <p>{failureText(failure, words)}</p>
      {delivery}
    </Notice>
  );
}
