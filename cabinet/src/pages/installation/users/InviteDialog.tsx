import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type cabinet } from '../../../data/client.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { ACCESS_FIELDS, AccessFields, type Access } from './AccessFields.tsx';

interface Props {
  me: cabinet.Me;
  onClose: () => void;
  onInvited: (user: cabinet.UserWithInvitation) => void;
}

/** Invites a user, whose account starts when the invitation is accepted. */
export function InviteDialog({ me, onClose, onInvited }: Props) {
  const words = useWords();
  const { users } = words;
  const [email, setEmail] = useState('');
  const [access, setAccess] = useState<Access>({ role: 'viewer', projects: [], sites: [] });
  const invite = useMutation({
    mutationFn: () => {
      const { role, projects, sites } = access;
      const scope = role === 'admin' ? {} : { projects, sites };
      return api.createUser({ body: { email: email.trim(), role, ...scope } });
    },
    onSuccess: ({ data }) => onInvited(data),
  });
  const fault = (): string | null => {
    if (faultOf(invite.error, '', words) !== null) return users.full;
    return faultOf(invite.error, 'email', words) === null ? null : users.emailFault;
  };
  return (
    <Modal title={users.invite} isOpen onClose={onClose}>
      <Form onSubmit={() => invite.mutate()} error={invite.error} fields={['', 'email', ...ACCESS_FIELDS]}>
        <Field
          label={users.email}
          type="email"
          autoComplete="off"
          autoFocus
          maxLength={limits.createUser_email}
          value={email}
          onChange={setEmail}
          fault={fault()}
        />
        <AccessFields me={me} access={access} onChange={setAccess} error={invite.error} />
        <Buttons>
          <Button kind="primary" type="submit" isPending={invite.isPending}>
            {users.invite}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
