import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { limits } from '../../data/apiLimits.ts';
import { faultOf } from '../../data/rejectedFields.ts';
import { useWords } from '../../words/preferences.tsx';
import { Button } from '../buttons/Button.tsx';
import { Buttons } from '../buttons/Buttons.tsx';
import { Field } from '../fields/Field.tsx';
import { Form } from '../fields/Form.tsx';
import { Modal } from '../dialogs/Modal.tsx';

interface Props {
  /** @returns the key if it is shown once, else null */
  make: (name: string) => Promise<string | null>;
  /** Text shown if the maximum number of keys exists. */
  full: string;
  /** Additional fields. */
  children?: ReactNode;
  onClose: () => void;
  onMade: (key: string | null) => void;
}

/** Asks for the name of a new key. */
export function KeyDialog({ make: makeKey, full, children, onClose, onMade }: Props) {
  const words = useWords();
  const { keys } = words.settings;
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const make = useMutation({ mutationFn: () => makeKey(name.trim()), onSuccess: onMade });
  const submit = (): void => {
    setTried(true);
    if (name.trim() !== '') make.mutate();
  };
  const nameFault = (): string | null => {
    if (isTried && name.trim() === '') return words.fieldErrors.codes['required'] ?? null;
    return faultOf(make.error, '', words) === null ? faultOf(make.error, 'name', words) : full;
  };
  return (
    <Modal title={keys.make} isOpen onClose={onClose}>
      <Form onSubmit={submit} error={make.error} fields={['', 'name']}>
        {children}
        <Field
          label={keys.name}
          hint={keys.nameHint}
          maxLength={limits.createProjectKey_name}
          autoFocus
          value={name}
          onChange={setName}
          fault={nameFault()}
        />
        <Buttons>
          <Button kind="primary" type="submit" isPending={make.isPending}>
            {keys.make}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
