/** General settings of a project: owners change the title, administrators the limits. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type cabinet } from '../../../data/client.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { queryClient } from '../../../data/queryClient.ts';
import { Button } from '../../../ui/Button.tsx';
import { Buttons } from '../../../ui/Buttons.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Check } from '../../../ui/Check.tsx';
import { Choice } from '../../../ui/Choice.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Form, Row } from '../../../ui/Form.tsx';
import { Hint } from '../../../ui/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { changeOf, draftOf, isWhole, type Draft } from './generalDraft.ts';

const FIELDS = ['title', 'state', 'fingerprints', 'monthly_volume', 'limits'];

interface Props {
  project: cabinet.Project;
  role: cabinet.Me['role'];
}

export function General({ project, role }: Props) {
  const words = useWords();
  const { general, ...settings } = words.settings;
  const [draft, setDraft] = useState(() => draftOf(project));
  const [isTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: (body: cabinet.ProjectPatch) => api.patchProject({ path: { id: project.id }, body }),
    onSuccess: async ({ data }) => {
      setDraft(draftOf(data));
      queryClient.setQueryData(['project', project.id], data);
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
    },
  });
  const set = (change: Partial<Draft>): void => {
    save.reset();
    setDraft({ ...draft, ...change });
  };
  const submit = (): void => {
    setTried(true);
    const body = changeOf(project, draft);
    if (body !== null) save.mutate(body);
  };
  const isViewer = role === 'viewer';
  const isSuspended = project.state === 'suspended' && role !== 'admin';
  const states = (['active', 'archived', 'suspended'] as const).filter(
    (state) => role === 'admin' || state !== 'suspended' || project.state === state,
  );
  const ofAdmin = (hint: string): string => (role === 'admin' ? hint : words.refusals.admin);
  const numberFault = (field: string, text: string, least: 0 | 1): string | null =>
    isTried && !isWhole(text, least)
      ? least === 0
        ? settings.wholeNumber
        : settings.number
      : faultOf(save.error, field, words);
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
        <Choice
          label={general.state}
          hint={isSuspended ? general.suspended : general.stateHint}
          isDisabled={isViewer || isSuspended}
          value={draft.state}
          options={states.map((value) => ({ value, text: general.states[value] }))}
          onChange={(state) => set({ state })}
        />
        <Check isDisabled={isViewer} isSelected={draft.fingerprints} onChange={(fingerprints) => set({ fingerprints })}>
          {general.fingerprints}
        </Check>
        <Field
          label={general.volume}
          hint={ofAdmin(general.noVolume)}
          inputMode="numeric"
          isDisabled={role !== 'admin'}
          value={draft.volume}
          onChange={(volume) => set({ volume })}
          fault={numberFault('monthly_volume', draft.volume, 0)}
        />
        <Row>
          <Field
            label={general.requests}
            hint={ofAdmin(general.usual)}
            inputMode="numeric"
            isDisabled={role !== 'admin'}
            value={draft.requests}
            onChange={(requests) => set({ requests })}
            fault={numberFault('limits.requests_per_second', draft.requests, 1)}
          />
          <Field
            label={general.output}
            hint={ofAdmin(general.usual)}
            inputMode="numeric"
            isDisabled={role !== 'admin'}
            value={draft.output}
            onChange={(output) => set({ output })}
            fault={numberFault('limits.output_per_second', draft.output, 1)}
          />
        </Row>
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
