import { useRefusal } from '../../../data/account/refusal.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { Progress } from '../../../ui/messages/Progress.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Examples } from './Examples.tsx';
import { FileDropZone } from './FileDropZone.tsx';
import { useUpload } from './useUpload.ts';

/** Accepts a file, and explains its format. */
export function UploadCard({ project, onSent }: { project: string; onSent: (id: string) => void }) {
  const { imports, refusals, dialogs } = useWords();
  const mayNot = useRefusal(project);
  const { name, refusal, error, send, cancel } = useUpload(project, onSent);
  return (
    <Card title={imports.file}>
      {mayNot && <Hint>{refusals[mayNot]}</Hint>}
      <FileDropZone isDisabled={mayNot !== null || name !== null} onFiles={send} />
      {name !== null && (
        <>
          <p role="status">{imports.sending(name)}</p>
          <Progress label={imports.sending(name)} value={0} max={null} />
          <div>
            <Button onPress={cancel}>{dialogs.cancel}</Button>
          </div>
        </>
      )}
      {refusal !== null && <Notice tone="bad">{imports.refusals[refusal]}</Notice>}
      {error && <Problem error={error} />}
      <Hint>{imports.replaced}</Hint>
      <Examples />
    </Card>
  );
}
