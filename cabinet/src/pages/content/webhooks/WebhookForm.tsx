/** The form of a new or existing webhook: its address and its events. */
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { faultOf, isAboutFields } from '../../../data/rejectedFields.ts';
import { SUBSCRIBABLE_EVENTS, type SubscribableEvent } from '../../../data/webhookEvents.ts';
import type { Webhook } from '../../../data/webhooks/webhooks.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Checkboxes } from '../../../ui/choices/Checkboxes.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { isBeingSent } from '../../../ui/fields/isBeingSent.ts';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './WebhookForm.module.css';

export type WebhookSettings = Pick<Webhook, 'url' | 'events'>;

interface Props {
  settings: WebhookSettings;
  /** Label of the submit button. */
  action: string;
  /** @param opened the settings as the form has opened with them */
  onSubmit: (settings: WebhookSettings, opened: WebhookSettings) => Promise<void>;
  onCancel: () => void;
}

export function WebhookForm({ settings, action, onSubmit, onCancel }: Props) {
  const words = useWords();
  const { webhooks, dialogs } = words;
  // Changes are relative to the initial values of the form, whatever arrives meanwhile.
  const [opened] = useState<WebhookSettings>({ url: settings.url, events: settings.events });
  const [url, setUrl] = useState(opened.url);
  const [events, setEvents] = useState<SubscribableEvent[]>(opened.events);
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: (entered: WebhookSettings) => onSubmit(entered, opened),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isBeingSent(event.currentTarget)) return;
    mutate({ url: url.trim(), events });
  };
  /** A fault is about the sent value, and so disappears after an edit. */
  const edit = (change: () => void): void => {
    reset();
    change();
  };
  const eventsFault = faultOf(error, 'events', words);
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label={webhooks.address}
        value={url}
        onChange={(text) => edit(() => setUrl(text))}
        fault={faultOf(error, 'url', words)}
        inputMode="url"
        autoComplete="off"
        autoFocus
        isRequired
      />
      <p className={styles.hint}>{webhooks.addressHint}</p>
      <Checkboxes
        label={webhooks.events}
        value={events}
        onChange={(chosen) => edit(() => setEvents(chosen))}
        fault={eventsFault !== null && events.length === 0 ? webhooks.noEvents : eventsFault}
        options={SUBSCRIBABLE_EVENTS.map((value) => ({
          value,
          text: webhooks.eventNames[value],
          hint: webhooks.eventHints[value],
        }))}
      />
      {error && !isAboutFields(error, ['url', 'events']) && <Problem error={error} />}
      <Buttons>
        <Button kind="primary" type="submit" isPending={isPending}>
          {action}
        </Button>
        <Button onPress={onCancel}>{dialogs.cancel}</Button>
      </Buttons>
    </form>
  );
}
