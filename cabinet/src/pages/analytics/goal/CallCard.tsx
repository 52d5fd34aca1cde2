import { Card } from '../../../ui/layout/Card.tsx';
import { CopyCommand } from '../../../ui/dialogs/CopyCommand.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Shows the call by which pages report a goal that no hit indicates. */
export function CallCard({ code }: { code: string }) {
  const { goal: text } = useWords();
  return (
    <Card title={text.call}>
      <Hint>{text.callAbout}</Hint>
      {code === '' ? <p>{text.callWaits}</p> : <CopyCommand text={`svc('goal', '${code}', {value: 500})`} />}
    </Card>
  );
}
