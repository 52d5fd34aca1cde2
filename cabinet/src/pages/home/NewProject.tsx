import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { meQuery } from '../../data/account/account.ts';
import { api } from '../../data/client.ts';
import { limits } from '../../data/apiLimits.ts';
import { faultOf } from '../../data/rejectedFields.ts';
import { queryClient } from '../../data/account/queryClient.ts';
import { projectsQuery } from '../../data/account/tenants.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Buttons } from '../../ui/buttons/Buttons.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { Modal } from '../../ui/dialogs/Modal.tsx';
import { SecretDialog } from '../../ui/dialogs/SecretDialog.tsx';
import { useWords } from '../../words/preferences.tsx';

interface CreatedProject {
  id: string;
  key: string;
}

/** Creates a project with its first key, shows the key, and opens the project's items. */
export function NewProject({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { newProject } = words.home;
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [made, setMade] = useState<CreatedProject | null>(null);
  const open = (project: string): void => void navigate({ to: '/p/$project/items', params: { project } });
  const create = useMutation({
    mutationFn: () => api.createProject({ body: { title: title.trim() } }),
    onSuccess: async ({ data: { id } }) => {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      const key = await firstKey(id, newProject.keyName);
      if (key === null) void navigate({ to: '/p/$project/settings', params: { project: id } });
      else setMade({ id, key });
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
    },
  });
  const { error } = create;
  const fault = (): string | null => {
    if (faultOf(error, '', words) !== null) return newProject.full;
    const ofTitle = faultOf(error, 'title', words);
    return ofTitle !== null && title.trim() === '' ? (words.fieldErrors.codes['required'] ?? ofTitle) : ofTitle;
  };
  if (made)
    return (
      <SecretDialog title={newProject.made} secret={made.key} onStored={() => open(made.id)}>
        <p>{newProject.keyAbout}</p>
      </SecretDialog>
    );
  return (
    // While the project is being created it stays open: its key, which is shown only here, would be lost.
    <Modal title={newProject.make} isOpen isDismissable={!create.isPending} onClose={onClose}>
      <Form onSubmit={() => create.mutate()} error={error} fields={['', 'title']}>
        <Field
          label={newProject.name}
          hint={newProject.nameHint}
          maxLength={limits.createProject_title}
          autoFocus
          value={title}
          onChange={setTitle}
          fault={fault()}
        />
        <Buttons>
          <Button kind="primary" type="submit" isPending={create.isPending}>
            {newProject.create}
          </Button>
          <Button isDisabled={create.isPending} onPress={onClose}>
            {words.dialogs.cancel}
          </Button>
        </Buttons>
      </Form>
    </Modal>
  );
}

/** Returns null if no key could be created: the project exists all the same, and its settings have a button for it. */
async function firstKey(project: string, name: string): Promise<string | null> {
  try {
    return (await api.createProjectKey({ path: { id: project }, body: { name } })).data.key;
  } catch {
    return null;
  }
}
