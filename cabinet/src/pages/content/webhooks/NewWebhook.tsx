import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { SUBSCRIBABLE_EVENTS } from '../../../data/webhookEvents.ts';
import { refreshWebhook } from '../../../data/webhooks/webhooks.ts';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { SecretDialog } from '../../../ui/dialogs/SecretDialog.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { WebhookForm, type WebhookSettings } from './WebhookForm.tsx';

const BLANK: WebhookSettings = { url: '', events: [...SUBSCRIBABLE_EVENTS] };

interface Props {
  project: string;
  isOpen: boolean;
  onClose: () => void;
}

/**
 * Adds a webhook, shows its secret once, and opens its page. It stays mounted whatever the list shows meanwhile,
 * because the secret would be lost with it.
 */
export function NewWebhook({ project, isOpen, onClose }: Props) {
  const { webhooks } = useWords();
  const navigate = useNavigate();
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const add = async (body: WebhookSettings): Promise<void> => {
    const { data } = await api.createWebhook({ path: { id: project }, body });
    onClose();
    setMade(data);
    void refreshWebhook({ project, webhook: data.id });
  };
  const leave = (): void => {
    setMade(null);
    if (made) void navigate({ to: '/p/$project/webhooks/$webhook', params: { project, webhook: made.id } });
  };
  return (
    <>
      <Modal title={webhooks.add} isOpen={isOpen} onClose={onClose}>
        <WebhookForm settings={BLANK} action={webhooks.create} onSubmit={add} onCancel={onClose} />
      </Modal>
      <SecretDialog title={webhooks.secretTitle} secret={made?.secret ?? null} onStored={leave} />
    </>
  );
}
