import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { pathOf, type WebhookIds } from '../../../data/webhooks/webhooks.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { SecretDialog } from '../../../ui/dialogs/SecretDialog.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Replaces the secret that signs requests, which is never shown again. */
export function SecretCard({ ids }: { ids: WebhookIds }) {
  const { webhook: words } = useWords();
  const mayChange = useMayChange();
  const [asks, setAsks] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.rotateWebhookSecret({ path: pathOf(ids) }),
    onSuccess: ({ data }) => {
      setAsks(false);
      setSecret(data.secret);
    },
    // The secret is not cached, because it is shown once.
    gcTime: 0,
  });
  return (
    <Card title={words.secret}>
      <p>{words.secretAbout}</p>
      <p>
        <Link to="/p/$project/webhooks/$webhook/signature" params={ids}>
          {words.check}
        </Link>
      </p>
      <Buttons>
        <Button isDisabled={!mayChange} onPress={() => setAsks(true)}>
          {words.rotate}
        </Button>
      </Buttons>
      <ConfirmDialog
        title={words.rotateTitle}
        action={words.rotate}
        isOpen={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => mutate()}
        isPending={isPending}
        error={error}
      >
        <p>{words.rotateAbout}</p>
      </ConfirmDialog>
      <SecretDialog title={words.rotated} secret={secret} onStored={() => setSecret(null)} />
    </Card>
  );
}
