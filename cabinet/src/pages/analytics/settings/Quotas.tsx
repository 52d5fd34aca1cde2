import { useState } from 'react';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { Role } from '../../../data/account/rights.ts';
import { useSiteChange } from '../../../data/sites/siteSettings.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form, Row } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { fromNumbers } from './listsAsText.ts';
import { SaveRow } from './SaveRow.tsx';

type Quota = keyof Site['quotas'];
type Limit = keyof Site['limits'];

const QUOTAS = exhaustiveList<Quota>({
  hits_per_day: true,
  retention_months: true,
  recordings_per_day: true,
  recording_days: true,
  recording_mb_per_day: true,
  recording_mb_per_address: true,
  favourites: true,
  goals: true,
});
const LIMITS = exhaustiveList<Limit>({
  requests_per_second: true,
  output_per_second: true,
  reports_simultaneous: true,
  reports_per_minute: true,
});

/** Limits of a site, which an administrator sets. */
export function Quotas({ site, role }: { site: Site; role: Role }) {
  const words = useWords();
  const { quotas } = words.siteSettings;
  const [changes, setChanges] = useState<{ [Name in Quota | Limit]?: string }>({});
  const save = useSiteChange(site);
  const numbers = fromNumbers(changes as Record<string, string>);
  const partOf = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(numbers ?? {}).filter(([name]) => names.includes(name)));
  const submit = (): void => {
    if (numbers === null) return;
    save.mutate({ quotas: partOf(QUOTAS), limits: partOf(LIMITS) }, { onSuccess: () => setChanges({}) });
  };
  const field = (part: 'quotas' | 'limits', name: Quota | Limit, value: number) => (
    <Field
      key={name}
      label={quotas.names[name]}
      inputMode="numeric"
      isDisabled={role !== 'admin'}
      value={changes[name] ?? String(value)}
      onChange={(text) => {
        save.reset();
        setChanges((former) => ({ ...former, [name]: text }));
      }}
      fault={
        fromNumbers({ one: changes[name] ?? '' }) === null
          ? words.settings.wholeNumber
          : faultOf(save.error, `${part}.${name}`, words)
      }
    />
  );
  return (
    <Card title={quotas.title}>
      <Form onSubmit={submit} error={save.error} fields={['quotas', 'limits']}>
        <Row>{QUOTAS.map((name) => field('quotas', name, site.quotas[name]))}</Row>
        <Row>{LIMITS.map((name) => field('limits', name, site.limits[name]))}</Row>
        <Hint>{quotas.about}</Hint>
        <SaveRow
          isPending={save.isPending}
          isSaved={save.isSuccess}
          refusal={role === 'admin' ? null : words.refusals.admin}
        />
      </Form>
    </Card>
  );
}
