import { useState } from 'react';
import { exhaustiveList } from '../../../../data/exhaustiveList.ts';
import type { ItemStatus } from '../../../../data/items/items.ts';
import { NAMED_STEPS, type NamedStep } from '../../../../data/items/steps.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { CheckList } from '../../../../ui/choices/CheckList.tsx';
import { SelectField } from '../../../../ui/choices/SelectField.tsx';
import { Form } from '../../../../ui/fields/Form.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { Modal } from '../../../../ui/dialogs/Modal.tsx';
import { Notice } from '../../../../ui/messages/Notice.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { useRerun } from './useRerun.ts';

/** The statuses whose items are not under way. */
const STATUSES = exhaustiveList<Exclude<ItemStatus, 'queued' | 'processing'>>({
  partial: true,
  failed: true,
  deferred: true,
  ready: true,
});

/** Asks which items and which of their steps to analyse again. */
export function RerunDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const words = useWords();
  const { reruns } = words.pipeline;
  const [status, setStatus] = useState<ItemStatus | 'all'>('partial');
  const [steps, setSteps] = useState<NamedStep[]>([]);
  const { start, error, isBusy, isPending } = useRerun(project, onClose);
  const submit = (): void =>
    start({ status: status === 'all' ? null : status, steps: steps.length === 0 ? null : steps });
  return (
    <Modal title={reruns.make} isOpen onClose={onClose}>
      <Form onSubmit={submit} error={error}>
        <SelectField
          label={reruns.status}
          value={status}
          options={[
            ...STATUSES.map((value) => ({
              value,
              text: words.statuses[value],
            })),
            { value: 'all' as const, text: reruns.all },
          ]}
          onChange={setStatus}
        />
        <CheckList
          label={reruns.steps}
          options={NAMED_STEPS.map((value) => ({ value, text: words.steps[value] }))}
          value={steps}
          onChange={(chosen) => setSteps(NAMED_STEPS.filter((step) => chosen.includes(step)))}
        />
        <Hint>{reruns.stepsHint}</Hint>
        <Hint>{reruns.makeAbout}</Hint>
        {isBusy && <Notice tone="bad">{reruns.busy}</Notice>}
        <Buttons>
          <Button kind="primary" type="submit" isPending={isPending}>
            {reruns.start}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
