import { useState } from 'react';
import type { StepReason } from '../../../data/items/pipeline.ts';
import { useRefusal } from '../../../data/account/refusal.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { reasonText } from '../../../words/reasonText.ts';
import { FailureTable } from './FailureTable.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';

/** Lists why steps failed or were postponed, with links to the items and a button that analyses them again. */
export function Failures({ project, reasons }: { project: string; reasons: readonly StepReason[] }) {
  const words = useWords();
  const { pipeline } = words;
  const refusal = useRefusal(project);
  const [chosen, setChosen] = useState<StepReason | null>(null);
  const failures = reasons.filter(({ state }) => state !== 'skipped');
  return (
    <Card title={pipeline.failures}>
      {failures.length === 0 ? (
        <p>{pipeline.noFailures}</p>
      ) : (
        <>
          <Hint>{refusal ? words.refusals[refusal] : pipeline.failuresAbout}</Hint>
          <FailureTable project={project} rows={failures} isDisabled={refusal !== null} onRunAgain={setChosen} />
        </>
      )}
      {chosen !== null && (
        <ReasonDialog
          project={project}
          reason={chosen}
          text={reasonText(words, chosen.code)}
          onClose={() => setChosen(null)}
        />
      )}
    </Card>
  );
}
