import type { StepReason } from '../../../data/items/pipeline.ts';
import { Bars } from '../../../charts/Bars.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { reasonText } from '../../../words/reasonText.ts';

/** Lists steps that were skipped for a reason that is not a failure. */
export function Skipped({ reasons }: { reasons: readonly StepReason[] }) {
  const words = useWords();
  const format = useFormat();
  const skipped = reasons.filter(({ state }) => state === 'skipped');
  if (skipped.length === 0) return null;
  return (
    <Card title={words.pipeline.skipped}>
      <Bars
        title={words.pipeline.skipped}
        format={format.number}
        bars={skipped.map(({ step, code, items }) => ({
          key: `${step}/${code}`,
          label: words.pipeline.inStep(words.steps[step], reasonText(words, code)),
          value: items,
        }))}
      />
    </Card>
  );
}
