import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, AttuneError } from '../../../data/client.ts';
import { faultOf, isAboutFields } from '../../../data/rejectedFields.ts';
import { pathOf, refreshWebhook, type WebhookIds } from '../../../data/webhooks/webhooks.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { isBeingSent } from '../../../ui/fields/isBeingSent.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './WebhookPage.module.css';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface Props {
  ids: WebhookIds;
  failingSince: string | null;
  onDone: () => void;
}

/** Asks for the start of the recovery; by default the first failure, or a day ago. */
export function RecoveryForm({ ids, failingSince, onDone }: Props) {
  const words = useWords();
  const { webhook, dialogs } = words;
  const [since, setSince] = useState(() =>
    asLocal(failingSince === null ? Date.now() - DAY_MS : Date.parse(failingSince)),
  );
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.recoverDeliveries({ path: pathOf(ids), body: { since: new Date(since).toISOString() } }),
    onSuccess: async () => {
      await refreshWebhook(ids);
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isBeingSent(event.currentTarget)) mutate();
  };
  const isRefused = error instanceof AttuneError && error.details.some(({ field }) => field === '');
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label={webhook.recoverSince}
        type="datetime-local"
        value={since}
        onChange={setSince}
        fault={faultOf(error, 'since', words)}
        isRequired
      />
      {isRefused && <Notice tone="bad">{webhook.recoverRefused}</Notice>}
      {error && !isRefused && !isAboutFields(error, ['since']) && <Problem error={error} />}
      <Buttons>
        <Button kind="primary" type="submit" isPending={isPending}>
          {webhook.recoverStart}
        </Button>
        <Button onPress={onDone}>{dialogs.cancel}</Button>
      </Buttons>
    </form>
  );
}

/** Returns a time for a date and time input: in the user's time zone, rounded down to the minute. */
function asLocal(moment: number): string {
  const offset = new Date(moment).getTimezoneOffset() * MINUTE_MS;
  return new Date(moment - offset).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
