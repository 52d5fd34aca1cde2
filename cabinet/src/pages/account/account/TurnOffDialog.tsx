import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Switches the second factor off, which requires both factors. */
export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { factor, password: texts } = words.profile;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const remove = useMutation({
    mutationFn: () => api.removeSecondFactor({ body: { password, code } }),
    onSuccess: onClose,
  });
  const isWrong = (field: string): boolean => faultOf(remove.error, field, words) !== null;
  return (
    <Modal title={factor.turnOff} isOpen onClose={onClose}>
      <Form onSubmit={() => remove.mutate()} error={remove.error} fields={['password', 'code']}>
        <p>{factor.offAbout}</p>
        <Field
          label={factor.password}
          type="password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={setPassword}
          fault={isWrong('password') ? texts.wrong : null}
        />
        <Field
          label={factor.codeOrRecovery}
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          fault={isWrong('code') ? factor.wrongCode : null}
        />
        <Buttons>
          <Button kind="danger" type="submit" isPending={remove.isPending}>
            {factor.turnOff}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
