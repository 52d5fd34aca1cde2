import { useState } from 'react';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { Role } from '../../../data/account/rights.ts';
import { useSiteChange } from '../../../data/sites/siteSettings.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { SecretDialog } from '../../../ui/dialogs/SecretDialog.tsx';
import { useWords } from '../../../words/preferences.tsx';

type PendingAction = 'new' | 'removal' | null;

/** The secret with which the site's server signs the identity of its users. It is created here and shown once. */
export function Identity({ site, role }: { site: Site; role: Role }) {
  const words = useWords();
  const { identity } = words.siteSettings;
  const [asking, setAsking] = useState<PendingAction>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const save = useSiteChange(site);
  // Separate, because a second change by the same mutation would drop what is done after the first: showing the secret.
  const requireHash = useSiteChange(site);
  const isViewer = role === 'viewer';
  const has = site.has_identity_secret;
  const store = (next: string | null): void => {
    const onSuccess = (): void => {
      setAsking(null);
      setSecret(next);
    };
    save.mutate({ identity_secret: next }, { onSuccess });
  };
  return (
    <Card
      title={identity.title}
      aside={<Badge tone={has ? 'good' : 'quiet'}>{has ? identity.isSet : identity.isMissing}</Badge>}
    >
      <Hint>{identity.about}</Hint>
      {save.error && asking === null && <Problem error={save.error} />}
      {requireHash.error && <Problem error={requireHash.error} />}
      <Buttons>
        <Button
          isDisabled={isViewer}
          isPending={save.isPending}
          onPress={() => (has ? setAsking('new') : store(newSecret()))}
        >
          {identity.make}
        </Button>
        {has && (
          <Button kind="quiet" isDisabled={isViewer} onPress={() => setAsking('removal')}>
            {identity.remove}
          </Button>
        )}
      </Buttons>
      <Checkbox
        isSelected={site.require_user_hash}
        isDisabled={isViewer}
        onChange={(isOn) => requireHash.mutate({ require_user_hash: isOn })}
      >
        {identity.require}
      </Checkbox>
      {isViewer && <Hint>{words.refusals.owner}</Hint>}
      <Confirmation
        asking={asking}
        isPending={save.isPending}
        error={save.error}
        onConfirm={() => store(asking === 'removal' ? null : newSecret())}
        onClose={() => setAsking(null)}
      />
      <SecretDialog title={identity.title} secret={secret} onStored={() => setSecret(null)}>
        <p>{identity.use}</p>
      </SecretDialog>
    </Card>
  );
}

interface ConfirmationProps {
  asking: PendingAction;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before the secret in use becomes invalid. */
function Confirmation({ asking, error, ...props }: ConfirmationProps) {
  const words = useWords();
  const { identity } = words.siteSettings;
  const isRemoval = asking === 'removal';
  return (
    <ConfirmDialog
      title={isRemoval ? identity.removeTitle : identity.newTitle}
      isOpen={asking !== null}
      action={isRemoval ? identity.remove : identity.make}
      error={error}
      {...props}
    >
      <p>{isRemoval ? identity.removeAbout : identity.newAbout}</p>
      {faultOf(error, 'identity_secret', words)}
    </ConfirmDialog>
  );
}

const SECRET_BYTES = 32;

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
