import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type cabinet } from '../../../data/client.ts';
import type { User } from '../../../data/account/users.ts';
import { readAll } from '../../../data/paginatedList.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { ACCESS_FIELDS, AccessFields, type Access } from './AccessFields.tsx';

interface Props {
  me: cabinet.Me;
  user: User;
  onClose: () => void;
  onChanged: (user: cabinet.UserWithInvitation) => void;
}

export function ChangeDialog({ me, user, onClose, onChanged }: Props) {
  const { users, dialogs } = useWords();
  const [access, setAccess] = useState<Access>({ role: user.role, projects: user.projects, sites: user.sites });
  const change = useMutation({
    mutationFn: async () => {
      const users = await readAll((query) => api.listUsers({ query }));
      const newest = users.find(({ id }) => id === user.id) ?? user;
      return api.patchUser({ path: { id: user.id }, body: changesOf(user, access, newest) });
    },
    onSuccess: ({ data }) => onChanged(data),
  });
  return (
    <Modal title={users.changeTitle(user.email)} isOpen onClose={onClose}>
      <Form onSubmit={() => change.mutate()} error={change.error} fields={ACCESS_FIELDS}>
        <AccessFields me={me} access={access} onChange={setAccess} error={change.error} />
        <Hint>{users.changeHint}</Hint>
        <Buttons>
          <Button kind="primary" type="submit" isPending={change.isPending}>
            {users.save}
          </Button>
          <Button onPress={onClose}>{dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}

/**
 * Returns only the changes, so that concurrent changes by others are kept: access that they have withdrawn would be
 * granted again, which ends the user's sessions and password.
 * @param user as the dialog has opened with them
 */
function changesOf(user: Access, { role, projects, sites }: Access, newest: Access): cabinet.UserPatch {
  return {
    ...(role !== user.role && { role }),
    ...(isOther(projects, user.projects) && { projects: merge(newest.projects, user.projects, projects) }),
    ...(isOther(sites, user.sites) && { sites: merge(newest.sites, user.sites, sites) }),
  };
}

const isOther = (ids: readonly string[], former: readonly string[]): boolean =>
  ids.length !== former.length || ids.some((id) => !former.includes(id));

/** Returns the newest list, with what was added and without what was removed here. */
function merge(newest: readonly string[], former: readonly string[], ids: readonly string[]): string[] {
  const added = ids.filter((id) => !former.includes(id));
  const removed = former.filter((id) => !ids.includes(id));
  return [...new Set([...newest, ...added])].filter((id) => !removed.includes(id));
}
