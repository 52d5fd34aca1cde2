import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, AttuneError } from '../../../data/client.ts';
import { surfaceQuery, type Surface } from '../../../data/output/output.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { draftOf, faultyVariant, putOf, type SurfaceDraft } from '../../../data/output/surfaceDraft.ts';
import { hasFaultyNumber } from '../../../data/output/faultyNumber.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from '../person/PersonPage.module.css';
import { Boosts } from './Boosts.tsx';
import { DefaultsCard } from './DefaultsCard.tsx';
import { ExperimentCard } from './ExperimentCard.tsx';
import { Pins } from './Pins.tsx';

interface Props {
  project: string;
  name: string;
  /** Null if nothing is set up yet. */
  surface: Surface | null;
}

/** Props of the parts of the form. */
export interface PartProps {
  project: string;
  draft: SurfaceDraft;
  onChange: (change: Partial<SurfaceDraft>) => void;
  /** The server's error. */
  error: Error | null;
}

const FIELDS = ['defaults', 'boosts', 'pins', 'experiment'];

export function SurfaceForm({ project, name, surface }: Props) {
  const { surface: words, refusals } = useWords();
  const mayChange = useMayChange();
  const [draft, setDraft] = useState(() => draftOf(surface));
  const [isTried, setTried] = useState(false);
  const put = useMutation({
    mutationFn: () => api.putSurface({ path: { id: project, surface: name }, body: putOf(draft) }),
    onSuccess: async ({ data }) => {
      queryClient.setQueryData(surfaceQuery(project, name).queryKey, data);
      await queryClient.invalidateQueries({ queryKey: ['surfaces', project], exact: true });
    },
  });
  const change = (next: Partial<SurfaceDraft>): void => {
    setDraft((former) => ({ ...former, ...next }));
    put.reset();
  };
  const faulty = isTried ? faultyVariant(draft) : null;
  const submit = (): void => {
    setTried(true);
    if (faultyVariant(draft) === null && !hasFaultyNumber(draft)) put.mutate();
  };
  const part: PartProps = { project, draft, onChange: change, error: put.error };
  // A fault without a field is about the number of surfaces.
  const isFull = put.error instanceof AttuneError && put.error.details.some(({ field }) => field === '');
  return (
    <Form onSubmit={submit} error={put.error} fields={isFull ? [] : FIELDS}>
      <div className={styles['cards']}>
        <DefaultsCard {...part} />
        <div className={styles['column']}>
          <Boosts {...part} />
          <Pins {...part} />
        </div>
      </div>
      <ExperimentCard {...part} faulty={faulty} />
      {put.isSuccess && <Notice tone="good">{words.saved}</Notice>}
      {!mayChange && <Hint>{refusals.owner}</Hint>}
      <Buttons>
        <Button kind="primary" type="submit" isDisabled={!mayChange} isPending={put.isPending}>
          {words.save}
        </Button>
      </Buttons>
    </Form>
  );
}
