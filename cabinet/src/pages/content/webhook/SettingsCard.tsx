import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { changedFields } from '../../../data/project/mergeChanges.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import {
  pathOf,
  refreshWebhook,
  webhooksQuery,
  type Webhook,
  type WebhookIds,
} from '../../../data/webhooks/webhooks.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { WebhookForm, type WebhookSettings } from '../webhooks/WebhookForm.tsx';
import styles from './WebhookPage.module.css';

interface Props {
  ids: WebhookIds;
  webhook: Webhook;
}

export function SettingsCard({ ids, webhook }: Props) {
  const { webhooks, webhook: words } = useWords();
  const mayChange = useMayChange();
  const [open, setOpen] = useState<'form' | 'removal' | null>(null);
  const close = (): void => setOpen(null);
  const patch = async (body: Partial<WebhookSettings> & { enabled?: boolean }): Promise<void> => {
    await api.patchWebhook({ path: pathOf(ids), body });
    await refreshWebhook(ids);
  };
  const save = async (settings: WebhookSettings, opened: WebhookSettings): Promise<void> => {
    await patch(changedFields(opened, settings));
    close();
  };
  const turn = useMutation({ mutationFn: (enabled: boolean) => patch({ enabled }) });
  return (
    <Card title={words.settings}>
      <dl className={styles.settings}>
        <div>
          <dt>{webhooks.address}</dt>
          <dd>{webhook.url}</dd>
        </div>
        <div>
          <dt>{webhooks.events}</dt>
          <dd>{webhook.events.map((event) => webhooks.eventNames[event]).join(' · ')}</dd>
        </div>
      </dl>
      {turn.error && <Problem error={turn.error} />}
      <Buttons>
        <Button isDisabled={!mayChange} onPress={() => setOpen('form')}>
          {words.change}
        </Button>
        <Button isDisabled={!mayChange} isPending={turn.isPending} onPress={() => turn.mutate(!webhook.enabled)}>
          {webhook.enabled ? words.turnOff : words.turnOn}
        </Button>
        <Button kind="danger" isDisabled={!mayChange} onPress={() => setOpen('removal')}>
          {words.remove}
        </Button>
      </Buttons>
      <Modal title={words.settings} isOpen={open === 'form'} onClose={close}>
        <WebhookForm settings={webhook} action={webhooks.save} onSubmit={save} onCancel={close} />
      </Modal>
      <DeleteWebhookDialog ids={ids} isOpen={open === 'removal'} onClose={close} />
    </Card>
  );
}

function DeleteWebhookDialog({ ids, isOpen, onClose }: { ids: WebhookIds; isOpen: boolean; onClose: () => void }) {
  const { webhook: words } = useWords();
  const navigate = useNavigate();
  const { project, webhook } = ids;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.deleteWebhook({ path: pathOf(ids) }),
    onSuccess: async () => {
      await navigate({ to: '/p/$project/webhooks', params: { project }, replace: true });
      queryClient.removeQueries({ queryKey: ['webhooks', project, webhook] });
      await queryClient.invalidateQueries({ queryKey: webhooksQuery(project).queryKey, exact: true });
    },
  });
  return (
    <ConfirmDialog
      title={words.removeTitle}
      action={words.remove}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => mutate()}
      isPending={isPending}
      error={error}
    >
      <p>{words.removeAbout}</p>
    </ConfirmDialog>
  );
}
