import type { StepReason } from '../../../data/items/pipeline.ts';
import { isNamed } from '../../../data/items/steps.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { useRerun } from './reruns/useRerun.ts';

interface Props {
  project: string;
  reason: StepReason;
  /** The reason in words. */
  text: string;
  onClose: () => void;
}

/** Asks before all items that failed for one reason are analysed again. */
export function ReasonDialog({ project, reason: { step, code, items }, text, onClose }: Props) {
  const words = useWords();
  const { reruns } = words.pipeline;
  const format = useFormat();
  const { start, error, isBusy, isPending } = useRerun(project, onClose);
  const steps = isNamed(step) ? [step] : null;
  return (
    <Modal title={reruns.reasonTitle} isOpen onClose={onClose}>
      <p>{reruns.reasonAbout(format.number(items), text)}</p>
      <p>{steps === null ? reruns.whole : reruns.again(words.steps[step])}</p>
      <Hint>{reruns.makeAbout}</Hint>
      {isBusy && <Notice tone="bad">{reruns.busy}</Notice>}
      {error && <Problem error={error} />}
      <Buttons>
        <Button kind="primary" isPending={isPending} onPress={() => start({ steps, error_code: code })}>
          {words.pipeline.runAgain}
        </Button>
        <Button onPress={onClose}>{words.dialogs.cancel}</Button>
      </Buttons>
    </Modal>
  );
}
