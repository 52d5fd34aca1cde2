import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { itemsByIdQuery } from '../../../data/items/items.ts';
import type { Answer } from '../../../data/output/output.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { AnswerItem, type Marker } from './AnswerItem.tsx';
import { Suggestions } from './Suggestions.tsx';
import styles from './LabPage.module.css';

interface Props {
  project: string;
  /** Title; by default that of a single answer. */
  title?: string;
  answer: UseQueryResult<Answer>;
  /** Whether the subject of the question does not exist. */
  isUnknown?: boolean;
  /** Returns the content to show beside an item's score. */
  mark?: Marker;
}

/** Shows an answer in each of its states. The previous one stays if the next question fails. */
export function AnswerCard({ project, title, answer: { data, error, refetch }, isUnknown = false, mark }: Props) {
  const { lab, table } = useWords();
  return (
    <Card title={title ?? lab.answer}>
      {error && !isUnknown && <Problem error={error} onRetry={() => void refetch()} />}
      {isUnknown && <Hint>{lab.notFound}</Hint>}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && !isUnknown && <AnswerItems project={project} answer={data} mark={mark} />}
    </Card>
  );
}

interface ItemsProps {
  project: string;
  answer: Answer;
  mark: Marker | undefined;
}

function AnswerItems({ project, answer, mark }: ItemsProps) {
  const { lab } = useWords();
  const ids = 'items' in answer ? answer.items.map(({ id }) => id) : [];
  const { data = [] } = useQuery(itemsByIdQuery(project, ids));
  const listed = new Map(data.map((item) => [item.id, item]));
  if ('suggestions' in answer) return <Suggestions suggestions={answer.suggestions} />;
  return (
    <>
      <AboutAnswer answer={answer} />
      {answer.items.length === 0 ? (
        <Empty title={lab.nothing}>
          <p>{lab.nothingHint}</p>
        </Empty>
      ) : (
        <ol className={styles.items}>
          {answer.items.map((item) => (
            <AnswerItem key={item.id} project={project} item={item} listed={listed.get(item.id)} mark={mark} />
          ))}
        </ol>
      )}
    </>
  );
}

function AboutAnswer({ answer }: { answer: Exclude<Answer, { suggestions: unknown }> }) {
  const { lab } = useWords();
  const { number } = useFormat();
  const { mode, model } = answer;
  const facts = [
    lab.modes[mode],
    ...(model === null ? [] : [lab.model(model)]),
    ...('total' in answer ? [lab.found(number(answer.total.value), answer.total.relation === 'gte')] : []),
    ...('corrected_query' in answer && answer.corrected_query !== null ? [lab.corrected(answer.corrected_query)] : []),
  ];
  return (
    <div>
      {facts.map((fact) => (
        <Hint key={fact}>{fact}</Hint>
      ))}
    </div>
  );
}
