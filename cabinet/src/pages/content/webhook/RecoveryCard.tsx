import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMayChange } from '../../../data/account/rights.ts';
import { lastRecoveryQuery, type Webhook, type WebhookIds } from '../../../data/webhooks/webhooks.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { RecoveryForm } from './RecoveryForm.tsx';
import { RecoveryProgress } from './RecoveryProgress.tsx';
import styles from './WebhookPage.module.css';

/** Resends events that a receiver missed while it was down or the webhook was off. */
export function RecoveryCard({ ids, webhook }: { ids: WebhookIds; webhook: Webhook }) {
  const { webhook: words } = useWords();
  const mayChange = useMayChange();
  const { data: last, error } = useQuery(lastRecoveryQuery(ids));
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <Card title={words.recovery}>
      {last ? <RecoveryProgress recovery={last} /> : <p>{words.recoveryAbout}</p>}
      {error && <Problem error={error} />}
      {!webhook.enabled && <p className={styles.hint}>{words.recoverOff}</p>}
      <Buttons>
        <Button isDisabled={!mayChange || !webhook.enabled || last?.state === 'running'} onPress={() => setOpen(true)}>
          {words.recover}
        </Button>
      </Buttons>
      <Modal title={words.recoverTitle} isOpen={isOpen} onClose={close}>
        <p>{words.recoveryAbout}</p>
        <RecoveryForm ids={ids} failingSince={webhook.failing_since} onDone={close} />
      </Modal>
    </Card>
  );
}
