import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useId } from 'react';
import { api, AttuneError } from '../../../data/client.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import {
  pathOf,
  refreshWebhook,
  webhookQuery,
  type DeliveryDetail,
  type WebhookIds,
} from '../../../data/webhooks/webhooks.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './DeliveryPage.module.css';

/** Makes one more attempt immediately, or explains why that is impossible. */
export function ResendButton({ ids, delivery }: { ids: WebhookIds; delivery: DeliveryDetail }) {
  const { delivery: words, item } = useWords();
  const hint = useId();
  const mayChange = useMayChange();
  const { data: webhook } = useQuery(webhookQuery(ids));
  const { delivery_id: id, event, status } = delivery;
  const resend = useMutation({
    mutationFn: () => api.resendDelivery({ path: { ...pathOf(ids), delivery_id: id } }),
    // A refusal may be news about the webhook as well: somebody has switched it off since.
    onSettled: () => refreshWebhook(ids),
  });
  const reason = reasonAgainst();
  function reasonAgainst(): string | null {
    if (!mayChange) return item.needsOwner;
    if (event === 'webhook.test') return words.testNotResent;
    return webhook?.enabled === false ? words.off : null;
  }
  const isRefused = resend.error instanceof AttuneError && resend.error.status === 422;
  const outcome = isRefused ? words.notResent : resend.isSuccess && status === 'pending' ? words.resent : null;
  const said = reason ?? outcome;
  return (
    <div className={styles.resend}>
      <Button
        kind="primary"
        isDisabled={reason !== null}
        isPending={resend.isPending}
        aria-describedby={hint}
        onPress={() => resend.mutate()}
      >
        <RotateCw aria-hidden size={16} />
        {status === 'pending' ? words.sendNow : words.resend}
      </Button>
      <p id={hint} role="status" className={styles.hint}>
        {said}
      </p>
      {resend.error && !isRefused && <Problem error={resend.error} />}
    </div>
  );
}
