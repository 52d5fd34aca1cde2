import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { secondFactorQuery } from '../../../data/account/account.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { SecretDialog } from '../../../ui/dialogs/SecretDialog.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { TurnOffDialog } from './TurnOffDialog.tsx';
import { TurnOnDialog } from './TurnOnDialog.tsx';

export function SecondFactor() {
  const words = useWords();
  const { factor } = words.profile;
  const format = useFormat();
  const { data, error, refetch } = useQuery(secondFactorQuery);
  const [open, setOpen] = useState<'on' | 'off' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = (): void => {
    setOpen(null);
    void queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  };
  return (
    <Card
      title={factor.title}
      aside={data && <Badge tone={data.enabled ? 'good' : 'quiet'}>{data.enabled ? factor.on : factor.off}</Badge>}
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{words.table.loading}</p>}
      <Hint>{factor.about}</Hint>
      {data?.enabled && <p>{factor.left(format.number(data.recovery_codes_left))}</p>}
      {data && (
        <Buttons>
          <Button onPress={() => setOpen(data.enabled ? 'off' : 'on')}>
            {data.enabled ? factor.turnOff : factor.turnOn}
          </Button>
        </Buttons>
      )}
      {open === 'on' && (
        <TurnOnDialog
          onClose={close}
          onDone={(recoveryCodes) => {
            close();
            setCodes(recoveryCodes);
          }}
        />
      )}
      {open === 'off' && <TurnOffDialog onClose={close} />}
      <SecretDialog title={factor.recovery} secret={codes?.join('\n') ?? null} onStored={() => setCodes(null)}>
        <p>{factor.recoveryAbout}</p>
      </SecretDialog>
    </Card>
  );
}
