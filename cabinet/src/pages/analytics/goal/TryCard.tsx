import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { Bars } from '../../../charts/Bars.tsx';
import { api, type cabinet } from '../../../data/client.ts';
import { isAboutFields } from '../../../data/rejectedFields.ts';
import type { GoalTried } from '../../../data/sites/goals.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Figures } from '../../../ui/tables/Figures.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { readableAddress } from '../parts/pathText.ts';

type Try = UseMutationResult<GoalTried, Error, cabinet.GoalTry>;

export function useTry(site: string): Try {
  return useMutation({
    mutationFn: async (asked: cabinet.GoalTry) => (await api.tryGoal({ path: { id: site }, body: asked })).data,
  });
}

interface Props {
  /** The current condition. */
  asked: cabinet.GoalTry;
  tried: Try;
  onTry: () => void;
}

/** Shows what would have reached the goal. The form shows the faults of its fields. */
export function TryCard({ asked, tried: { data, error, variables, isPending }, onTry }: Props) {
  const { goal: text, table } = useWords();
  const isOfNow = JSON.stringify(variables) === JSON.stringify(asked);
  return (
    <Card title={text.tryTitle}>
      <Hint>{text.tryAbout}</Hint>
      <Buttons>
        <Button isPending={isPending} onPress={onTry}>
          {text.try}
        </Button>
      </Buttons>
      {error && isOfNow && !isAboutFields(error, ['match']) && <Problem error={error} onRetry={onTry} />}
      {isPending && <p role="status">{table.loading}</p>}
      {data && (isOfNow ? <Outcome type={asked.type} tried={data} /> : <Hint>{text.changed}</Hint>)}
    </Card>
  );
}

function Outcome({ type, tried }: { type: cabinet.GoalTry['type']; tried: GoalTried }) {
  const { goal: text, report } = useWords();
  const format = useFormat();
  const { hits, matched, examples, complete, sampled } = tried;
  if (hits === 0) return <p role="status">{text.noHits[type]}</p>;
  const share = text.share(format.number(matched), format.percent(matched / hits));
  return (
    <>
      <div role="status">
        <Figures
          figures={[
            { name: text.matched, value: share },
            { name: text.looked[type], value: format.number(hits) },
          ]}
        />
      </div>
      {matched === 0 && <p>{text.nothingMatched}</p>}
      {examples.length > 0 && (
        <>
          <h3>{text.examples}</h3>
          <Bars
            title={text.examples}
            bars={examples.map(({ text: label, hits: value }) => ({
              key: label ?? '',
              label: label === null ? text.unnamedForm : readableAddress(label),
              value,
            }))}
            format={format.number}
          />
        </>
      )}
      {!complete && <Hint>{text.incomplete}</Hint>}
      {sampled && <Hint>{report.sampled}</Hint>}
    </>
  );
}
