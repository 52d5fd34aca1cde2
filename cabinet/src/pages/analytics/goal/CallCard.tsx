import { Card } from '../../../ui/Card.tsx';
import { CopyCommand } from '../../../ui/CopyCommand.tsx';
import { Hint } from '../../../ui/Hint.tsx';
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
