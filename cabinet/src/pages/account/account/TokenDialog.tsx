import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';

const DEFAULT_DAYS = '90';
const MAX_DAYS = limits.createToken_expires_in_days;

/** Asks for the purpose and the lifetime of a new token. */
export function TokenDialog({ onClose, onMade }: { onClose: () => void; onMade: (token: string) => void }) {
  const words = useWords();
  const { tokens } = words.profile;
  const [name, setName] = useState('');
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [isTried, setTried] = useState(false);
  const make = useMutation({
    mutationFn: () => api.createToken({ body: { name: name.trim(), expires_in_days: Number(days) } }),
    onSuccess: ({ data }) => onMade(data.token),
  });
  const areDaysRight = /^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= MAX_DAYS;
  const submit = (): void => {
    setTried(true);
    if (areDaysRight && name.trim() !== '') make.mutate();
  };
  const isFull = faultOf(make.error, '', words) !== null;
  const nameFault = (): string | null => {
    if (isTried && name.trim() === '') return words.fieldErrors.codes['required'] ?? null;
    return isFull ? tokens.full : faultOf(make.error, 'name', words);
  };
  return (
    <Modal title={tokens.make} isOpen onClose={onClose}>
      <Form onSubmit={submit} error={make.error} fields={['', 'name', 'expires_in_days']}>
        <Field
          label={tokens.name}
          hint={tokens.nameHint}
          maxLength={limits.createToken_name}
          autoFocus
          value={name}
          onChange={setName}
          fault={nameFault()}
        />
        <Field
          label={tokens.days}
          inputMode="numeric"
          value={days}
          onChange={setDays}
          fault={isTried && !areDaysRight ? tokens.daysFault : faultOf(make.error, 'expires_in_days', words)}
        />
        <Buttons>
          <Button kind="primary" type="submit" isPending={make.isPending}>
            {tokens.make}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
