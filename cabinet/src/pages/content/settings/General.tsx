/** General settings of a project: owners change the title, administrators the limits. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type cabinet } from '../../../data/client.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { changeOf, draftOf, withChanges, type DraftChanges } from './generalDraft.ts';
import { LimitFields, StateField } from './GeneralFields.tsx';

const FIELDS = ['title', 'state', 'fingerprints', 'monthly_volume', 'limits'];

interface Props {
  project: cabinet.Project;
  role: cabinet.Me['role'];
}

export function General({ project, role }: Props) {
  const words = useWords();
  const { general, ...settings } = words.settings;
  const [changes, setChanges] = useState<DraftChanges>({});
  const draft = withChanges(draftOf(project), changes);
  const [isTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: (body: cabinet.ProjectPatch) => api.patchProject({ path: { id: project.id }, body }),
    onSuccess: async ({ data }) => {
      queryClient.setQueryData(['project', project.id], data);
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
    },
  });
  const set = (change: DraftChanges): void => {
    save.reset();
    setChanges((former) => ({ ...former, ...change, limits: { ...former.limits, ...change.limits } }));
  };
  const submit = (): void => {
    setTried(true);
    const body = changeOf(project, draft);
    // Changes made before the answer arrives are kept: `set` resets the request, so this callback is not called.
    if (body !== null) save.mutate(body, { onSuccess: () => setChanges({}) });
  };
  const isViewer = role === 'viewer';
  return (
    <Card title={general.title} aside={<code>{project.id}</code>}>
      <Form onSubmit={submit} error={save.error} fields={FIELDS}>
        <Field
          label={general.name}
          maxLength={limits.createProject_title}
          isDisabled={isViewer}
          value={draft.title}
          onChange={(title) => set({ title })}
          fault={
            isTried && draft.title.trim() === ''
              ? (words.fieldErrors.codes['required'] ?? null)
              : faultOf(save.error, 'title', words)
          }
        />
        <StateField project={project} role={role} draft={draft} onChange={set} />
        <Checkbox
          isDisabled={isViewer}
          isSelected={draft.fingerprints}
          onChange={(fingerprints) => set({ fingerprints })}
        >
          {general.fingerprints}
        </Checkbox>
        <LimitFields role={role} draft={draft} isTried={isTried} error={save.error} onChange={set} />
        <Buttons>
          <Button kind="primary" type="submit" isDisabled={isViewer} isPending={save.isPending}>
            {settings.save}
          </Button>
        </Buttons>
        {isViewer && <Hint>{words.refusals.owner}</Hint>}
        {save.isSuccess && <p role="status">{settings.saved}</p>}
      </Form>
    </Card>
  );
}
