import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { limits } from '../../../data/apiLimits.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { surfacesQuery } from '../../../data/output/output.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle } from '../../../ui/tables/DataTable.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { NewButton } from '../../../ui/buttons/NewButton.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

export function Surfaces({ project }: { project: string }) {
  const { output, table, refusals } = useWords();
  const { moment } = useFormat();
  const mayChange = useMayChange();
  const { data, error, refetch } = useQuery(surfacesQuery(project));
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={output.surfaces}
      aside={<NewButton text={output.addSurface} isDisabled={!mayChange} onPress={() => setOpen(true)} />}
    >
      <Hint>{mayChange ? output.surfacesAbout : `${output.surfacesAbout} ${refusals.owner}`}</Hint>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data?.length === 0 && <p>{output.surfacesEmpty}</p>}
      {data && data.length > 0 && (
        <DataTable
          label={output.surfaces}
          rows={data}
          idOf={({ name }) => name}
          columns={[
            {
              key: 'surface',
              title: output.columns.surface,
              cell: ({ name }) => (
                <RowTitle
                  title={
                    <Link to="/p/$project/output/$surface" params={{ project, surface: name }}>
                      {name}
                    </Link>
                  }
                />
              ),
            },
            {
              key: 'settings',
              title: output.columns.settings,
              cell: ({ defaults, boosts, pins }) =>
                output.counts(Object.keys(defaults).length, boosts.length, pins.length),
            },
            {
              key: 'experiment',
              title: output.columns.experiment,
              cell: ({ experiment }) => experiment?.id ?? output.none,
            },
            { key: 'updated', title: output.columns.updated, cell: ({ updated_at: at }) => moment(at) },
          ]}
        />
      )}
      {isOpen && <NameDialog project={project} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function NameDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const { output, dialogs } = useWords();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const surface = name.trim();
  const open = (): void => {
    if (surface !== '') void navigate({ to: '/p/$project/output/$surface', params: { project, surface } });
  };
  return (
    <Modal title={output.addSurface} isOpen onClose={onClose}>
      <Form onSubmit={open}>
        <Field
          label={output.surfaceName}
          hint={output.surfaceNameHint}
          maxLength={limits.putSurface_surface}
          autoFocus
          value={name}
          onChange={setName}
        />
        <Buttons>
          <Button kind="primary" type="submit" isDisabled={surface === ''}>
            {output.go}
          </Button>
          <Button onPress={onClose}>{dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
