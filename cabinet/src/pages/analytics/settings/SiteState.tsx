import { useState } from 'react';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import type { Role } from '../../../data/account/rights.ts';
import { useSiteChange } from '../../../data/sites/siteSettings.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';

const STATES = exhaustiveList<Site['state']>({ active: true, blocked: true, deleted: true });
const OWNER_STATES = exhaustiveList<Site['owner_state']>({ active: true, blocked: true });

/** Shows whether the site accepts hits. Owners may delete it; the rest is up to the administrator. */
export function SiteState({ site, role }: { site: Site; role: Role }) {
  const words = useWords();
  const { state } = words.siteSettings;
  const [isAsking, setAsking] = useState(false);
  const save = useSiteChange(site);
  const isAdmin = role === 'admin';
  const isBlocked = site.state === 'blocked' || site.owner_state === 'blocked';
  const refusal = role === 'viewer' ? words.refusals.owner : isBlocked && !isAdmin ? state.blocked : null;
  const remove = (): void => save.mutate({ state: 'deleted' }, { onSuccess: () => setAsking(false) });
  const textsOf = <T extends keyof typeof state.names>(values: readonly T[]) =>
    values.map((value) => ({ value, text: state.names[value] }));
  return (
    <Card title={state.title}>
      {save.error && !isAsking && <Problem error={save.error} />}
      <SelectField
        label={state.ofSite}
        value={site.state}
        options={textsOf(STATES)}
        isDisabled={!isAdmin}
        hint={isAdmin ? state.about : words.refusals.admin}
        onChange={(next) => (next === 'deleted' ? setAsking(true) : save.mutate({ state: next }))}
      />
      <SelectField
        label={state.ofOwner}
        value={site.owner_state}
        options={textsOf(OWNER_STATES)}
        isDisabled={!isAdmin}
        onChange={(next) => save.mutate({ owner_state: next })}
      />
      {site.state !== 'deleted' && (
        <Buttons>
          <Button kind="danger" isDisabled={refusal !== null} onPress={() => setAsking(true)}>
            {state.remove}
          </Button>
        </Buttons>
      )}
      {refusal !== null && <Hint>{refusal}</Hint>}
      <ConfirmDialog
        title={state.removeTitle(site.title)}
        isOpen={isAsking}
        action={state.remove}
        isPending={save.isPending}
        error={save.error}
        onConfirm={remove}
        onClose={() => setAsking(false)}
      >
        <p>{state.removeAbout}</p>
      </ConfirmDialog>
    </Card>
  );
}
