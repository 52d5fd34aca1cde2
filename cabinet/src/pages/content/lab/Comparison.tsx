import type { UseQueryResult } from '@tanstack/react-query';
import { compare, type Move } from '../../../data/output/lab.ts';
import type { Answer } from '../../../data/output/output.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { AnswerCard } from './AnswerCard.tsx';
import styles from './LabPage.module.css';

interface Props {
  project: string;
  before: UseQueryResult<Answer>;
  after: UseQueryResult<Answer>;
}

/** Shows two answers side by side, with the move of each item of the second. */
export function Comparison({ project, before, after }: Props) {
  const { lab } = useWords();
  const { number } = useFormat();
  const isThere = before.data !== undefined && after.data !== undefined;
  const { moves, gone, added, moved } = compare(idsOf(before.data), idsOf(after.data));
  const isSame = added + moved + gone.length === 0;
  const differences = lab.differences(number(added), number(gone.length), number(moved));
  return (
    <>
      {isThere && <Notice tone="good">{isSame ? lab.noDifference : differences}</Notice>}
      <div className={styles.columns}>
        <AnswerCard
          project={project}
          title={lab.formerAnswer}
          answer={before}
          mark={(id) => isThere && gone.includes(id) && <Badge tone="bad">{lab.gone}</Badge>}
        />
        <AnswerCard
          project={project}
          title={lab.changedAnswer}
          answer={after}
          mark={(id) => isThere && <MoveBadge move={moves.get(id) ?? 'same'} />}
        />
      </div>
    </>
  );
}

function idsOf(answer: Answer | undefined): string[] {
  if (!answer) return [];
  return 'items' in answer ? answer.items.map(({ id }) => id) : answer.suggestions.map(({ text }) => text);
}

function MoveBadge({ move }: { move: Move }) {
  const { moves } = useWords().lab;
  if (move === 'same') return null;
  if (move === 'new') return <Badge tone="good">{moves.new}</Badge>;
  return <Badge tone="busy">{move > 0 ? moves.up(move) : moves.down(-move)}</Badge>;
}
