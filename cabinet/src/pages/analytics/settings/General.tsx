import { useState } from 'react';
import { limits } from '../../../data/apiLimits.ts';
import type { cabinet } from '../../../data/client.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { Role } from '../../../data/account/rights.ts';
import { useSiteChange } from '../../../data/sites/siteSettings.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form, Row } from '../../../ui/fields/Form.tsx';
import { CodeArea } from '../../../ui/fields/CodeArea.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { fromLines, fromRateLines, toLines, toRateLines } from './listsAsText.ts';
import { SaveRow } from './SaveRow.tsx';

const FIELDS = ['title', 'hosts', 'timezone', 'currency', 'rates', 'ignored_referrers'];

const draftOf = ({ title, hosts, timezone, currency, rates, ignored_referrers: ignored }: Site) => ({
  title,
  timezone,
  currency,
  hosts: toLines(hosts),
  rates: toRateLines(rates),
  ignored_referrers: toLines(ignored),
});
type Draft = ReturnType<typeof draftOf>;

/** The properties of an input. */
interface FieldInput {
  value: string;
  isDisabled: boolean;
  onChange: (value: string) => void;
  fault: string | null;
}

/** Settings of the site's title, domains, time zone and currency. */
export function General({ site, role }: { site: Site; role: Role }) {
  const words = useWords();
  const { general } = words.siteSettings;
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const save = useSiteChange(site);
  const draft = { ...draftOf(site), ...changes };
  const rates = fromRateLines(draft.rates);
  const submit = (): void => {
    if (rates === null) return;
    save.mutate(requestOf(changes, rates), { onSuccess: () => setChanges({}) });
  };
  const field = (name: keyof Draft, own?: string): FieldInput => ({
    value: draft[name],
    isDisabled: role === 'viewer',
    onChange: (value: string) => {
      save.reset();
      setChanges((former) => ({ ...former, [name]: value }));
    },
    fault: faultOf(save.error, name, words) === null ? null : (own ?? faultOf(save.error, name, words)),
  });
  const { newSite } = words.home;
  return (
    <Card title={general.title} aside={<code>{site.id}</code>}>
      <Form onSubmit={submit} error={save.error} fields={FIELDS}>
        <Field label={words.home.newProject.name} maxLength={limits.createSite_title} {...field('title')} />
        <CodeArea label={newSite.hosts} hint={general.hostsHint} rows={3} {...field('hosts', newSite.hostsFault)} />
        <TimezoneAndCurrency field={field} />
        <CodeArea
          label={general.rates}
          hint={general.ratesHint(draft.currency)}
          rows={3}
          {...field('rates')}
          {...(rates === null && { fault: general.ratesFault })}
        />
        <CodeArea
          label={general.ignored}
          hint={general.ignoredHint}
          rows={2}
          {...field('ignored_referrers', newSite.hostsFault)}
        />
        <SaveRow
          isPending={save.isPending}
          isSaved={save.isSuccess}
          refusal={role === 'viewer' ? words.refusals.owner : null}
        />
      </Form>
    </Card>
  );
}

function TimezoneAndCurrency({ field }: { field: (name: keyof Draft, own: string) => FieldInput }) {
  const words = useWords();
  const { general } = words.siteSettings;
  const { newSite } = words.home;
  return (
    <Row>
      <Field
        label={newSite.timezone}
        hint={newSite.timezoneHint}
        maxLength={limits.createSite_timezone}
        {...field('timezone', newSite.timezoneFault)}
      />
      <Field
        label={newSite.currency}
        hint={general.currencyHint}
        maxLength={3}
        {...field('currency', newSite.currencyFault)}
      />
    </Row>
  );
}

/** Returns only the changes, so that concurrent changes by others are kept. */
function requestOf(changes: Partial<Draft>, rates: Site['rates']): cabinet.SitePatch {
  return {
    ...(changes.title !== undefined && { title: changes.title.trim() }),
    ...(changes.hosts !== undefined && { hosts: fromLines(changes.hosts) }),
    ...(changes.timezone !== undefined && { timezone: changes.timezone.trim() }),
    ...(changes.currency !== undefined && { currency: changes.currency.trim().toUpperCase() }),
    ...(changes.rates !== undefined && { rates }),
    ...(changes.ignored_referrers !== undefined && { ignored_referrers: fromLines(changes.ignored_referrers) }),
  };
}
