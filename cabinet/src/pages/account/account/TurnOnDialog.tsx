import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api, type cabinet } from '../../../data/client.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { lazyWithReload } from '../../../loading/reloadOutdated.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Command } from '../../../ui/dialogs/Command.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './AccountPage.module.css';

// Loaded on demand: few users ever see it, and it is as large as the rest of the page.
const QrCode = lazyWithReload(async () => (await import('./QrCode.tsx')).QrCode);

interface Props {
  onClose: () => void;
  /** Called after activation with the recovery codes, which are shown once. */
  onDone: (recoveryCodes: readonly string[]) => void;
}

/** Asks for the password, then shows the secret for the app and asks for a code from it. */
export function TurnOnDialog({ onClose, onDone }: Props) {
  const { profile } = useWords();
  const [secret, setSecret] = useState<cabinet.SecondFactorSecret | null>(null);
  return (
    <Modal title={profile.factor.title} isOpen onClose={onClose} isDismissable={secret === null}>
      {secret === null ? (
        <PasswordStep onClose={onClose} onDone={setSecret} />
      ) : (
        <CodeStep secret={secret} onClose={onClose} onDone={onDone} />
      )}
    </Modal>
  );
}

function PasswordStep({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (secret: cabinet.SecondFactorSecret) => void;
}) {
  const words = useWords();
  const { factor, password: texts } = words.profile;
  const [password, setPassword] = useState('');
  const begin = useMutation({
    mutationFn: () => api.startSecondFactor({ body: { password } }),
    onSuccess: ({ data }) => onDone(data),
  });
  const isWrong = faultOf(begin.error, 'password', words) !== null;
  return (
    <Form onSubmit={() => begin.mutate()} error={begin.error} fields={['password']}>
      <Field
        label={factor.password}
        type="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={setPassword}
        fault={isWrong ? texts.wrong : null}
      />
      <Buttons>
        <Button kind="primary" type="submit" isPending={begin.isPending}>
          {factor.next}
        </Button>
        <Button onPress={onClose}>{words.dialogs.cancel}</Button>
      </Buttons>
    </Form>
  );
}

function CodeStep({ secret, onClose, onDone }: Props & { secret: cabinet.SecondFactorSecret }) {
  const words = useWords();
  const { factor } = words.profile;
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => api.confirmSecondFactor({ body: { code } }),
    onSuccess: ({ data }) => onDone(data.recovery_codes),
  });
  const isWrong = faultOf(confirm.error, 'code', words) !== null;
  return (
    <Form onSubmit={() => confirm.mutate()} error={confirm.error} fields={['code']}>
      <p>{factor.scan}</p>
      <Suspense fallback={<div className={styles.code} />}>
        <QrCode text={secret.uri} label={factor.picture} />
      </Suspense>
      <dl className={styles.secret}>
        <dt>{factor.secret}</dt>
        <dd>
          <Command text={secret.secret} />
        </dd>
        <dt>{factor.address}</dt>
        <dd>
          <Command text={secret.uri} />
        </dd>
      </dl>
      <Field
        label={factor.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={setCode}
        fault={isWrong ? factor.wrongCode : null}
      />
      <Buttons>
        <Button kind="primary" type="submit" isPending={confirm.isPending}>
          {factor.turnOn}
        </Button>
        <Button onPress={onClose}>{words.dialogs.cancel}</Button>
      </Buttons>
    </Form>
  );
}
