import { useState } from 'react';
import { NAMED_STEPS, type NamedStep } from '../../../../data/items/steps.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { CheckList } from '../../../../ui/choices/CheckList.tsx';
import { Form } from '../../../../ui/fields/Form.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { Modal } from '../../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import type { RerunItem } from './useRerunItem.ts';

/** Asks which analysis steps to rerun. */
export function StepsDialog({ isOpen, onClose, rerun }: { isOpen: boolean; onClose: () => void; rerun: RerunItem }) {
  const words = useWords();
  const [steps, setSteps] = useState<NamedStep[]>([]);
  const submit = (): void => rerun.mutate(steps, { onSuccess: onClose });
  return (
    <Modal title={words.item.rerunSomeTitle} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit} error={rerun.error}>
        <CheckList
          label={words.pipeline.reruns.steps}
          options={NAMED_STEPS.map((value) => ({ value, text: words.steps[value] }))}
          value={steps}
          onChange={(chosen) => setSteps(NAMED_STEPS.filter((step) => chosen.includes(step)))}
        />
        <Hint>{words.item.rerunSomeAbout}</Hint>
        <Buttons>
          <Button kind="primary" type="submit" isDisabled={steps.length === 0} isPending={rerun.isPending}>
            {words.item.rerun}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
