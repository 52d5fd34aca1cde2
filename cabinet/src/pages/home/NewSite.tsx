import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../../data/account/account.ts';
import { api } from '../../data/client.ts';
import { limits } from '../../data/apiLimits.ts';
import { faultOf } from '../../data/rejectedFields.ts';
import { queryClient } from '../../data/account/queryClient.ts';
import { sitesQuery } from '../../data/account/tenants.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Buttons } from '../../ui/buttons/Buttons.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { Form, Row } from '../../ui/fields/Form.tsx';
import { Modal } from '../../ui/dialogs/Modal.tsx';
import type { Language } from '../../words/load.ts';
import { usePreferences, useWords } from '../../words/preferences.tsx';
import { NewSiteTag } from './NewSiteTag.tsx';

interface Draft {
  title: string;
  hosts: string;
  timezone: string;
  currency: string;
}

const FIELDS = ['', 'title', 'hosts', 'timezone', 'currency'];

/** The suggested currency, by the language of the cabinet. */
const CURRENCIES: Readonly<Record<Language, string>> = { en: 'EUR', ru: 'RUB' };

/** Creates a site and shows the snippet for its pages. */
export function NewSite({ onClose }: { onClose: () => void }) {
  const { words, language } = usePreferences();
  const { newProject, newSite } = words.home;
  const [draft, setDraft] = useState<Draft>(() => ({
    title: '',
    hosts: '',
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    currency: CURRENCIES[language],
  }));
  const set = (change: Partial<Draft>): void => setDraft((former) => ({ ...former, ...change }));
  const [made, setMade] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () => api.createSite({ body: requestOf(draft) }),
    onSuccess: async ({ data: { id } }) => {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      setMade(id);
      await queryClient.invalidateQueries({ queryKey: sitesQuery.queryKey });
    },
  });
  if (made !== null) return <NewSiteTag site={made} />;
  const { error } = create;
  return (
    <Modal title={newSite.make} isOpen onClose={onClose}>
      <Form onSubmit={() => create.mutate()} error={error} fields={FIELDS}>
        <SiteFields draft={draft} error={error} onChange={set} />
        <Buttons>
          <Button kind="primary" type="submit" isPending={create.isPending}>
            {newProject.create}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}

interface FieldsProps {
  draft: Draft;
  error: Error | null;
  onChange: (change: Partial<Draft>) => void;
}

function SiteFields({ draft, error, onChange }: FieldsProps) {
  const words = useWords();
  const { newProject, newSite } = words.home;
  const isFull = faultOf(error, '', words) !== null;
  const field = (name: keyof Draft) => ({
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
    fault: faultOf(error, name, words),
  });
  const faultWith = (name: keyof Draft, text: string) => (faultOf(error, name, words) === null ? null : text);
  return (
    <>
      <Field
        label={newProject.name}
        maxLength={limits.createSite_title}
        autoFocus
        {...field('title')}
        fault={isFull ? newSite.full : field('title').fault}
      />
      <Field
        label={newSite.hosts}
        hint={newSite.hostsHint}
        {...field('hosts')}
        fault={draft.hosts.trim() === '' ? field('hosts').fault : faultWith('hosts', newSite.hostsFault)}
      />
      <Row>
        <Field
          label={newSite.timezone}
          hint={newSite.timezoneHint}
          maxLength={limits.createSite_timezone}
          {...field('timezone')}
          fault={faultWith('timezone', newSite.timezoneFault)}
        />
        <Field
          label={newSite.currency}
          hint={newSite.currencyHint}
          maxLength={3}
          {...field('currency')}
          fault={faultWith('currency', newSite.currencyFault)}
        />
      </Row>
    </>
  );
}

function requestOf({ title, hosts, timezone, currency }: Draft) {
  const named = hosts.split(/[\s,;]+/).filter((host) => host !== '');
  return { title: title.trim(), hosts: named, timezone: timezone.trim(), currency: currency.trim().toUpperCase() };
}
