import { RotateCw } from 'lucide-react';
import type { Item } from '../../../../data/items/items.ts';
import { useRefusal } from '../../../../data/account/refusal.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { LinkButton } from '../../../../ui/buttons/LinkButton.tsx';
import { Notice } from '../../../../ui/messages/Notice.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { reasonOrOther, remedyOf, blockersOf, stepsToRun, type Remedy, type Blocker } from './remedies.ts';
import type { RerunItem } from './useRerunItem.ts';
import styles from './Blockers.module.css';

/** Remedies that need an edit of the item. */
const EDIT_REMEDIES: ReadonlySet<Remedy> = new Set(['address', 'server', 'file', 'size', 'content', 'refused']);

interface Props {
  project: string;
  item: Item;
  rerun: RerunItem;
}

/** Explains why the analysis did not finish and what to do, with buttons that do it. */
export function Blockers({ project, item, rerun }: Props) {
  const { item: words, refusals } = useWords();
  const refusal = useRefusal(project);
  const blockers = blockersOf(item);
  if (blockers.length === 0 || item.deleted) return null;
  const isFailed = blockers.some((one) => one.isFailed);
  const steps = stepsToRun(blockers.filter((one) => one.isFailed === isFailed));
  const isByChange = blockers.some(({ code }) => code !== null && EDIT_REMEDIES.has(remedyOf(code)));
  const title = isFailed ? (item.status === 'failed' ? 'failed' : 'partly') : 'deferred';
  return (
    <Notice tone={isFailed ? 'bad' : 'warn'} title={words.standstill[title]}>
      <ul className={styles.list}>
        {blockers.map((one) => (
          <li key={`${one.code} ${one.position}`}>
            <BlockerExplanation item={item} blocker={one} />
          </li>
        ))}
      </ul>
      <Buttons>
        {blockers.some(({ code }) => code !== null) && (
          <Button isDisabled={refusal !== null} isPending={rerun.isPending} onPress={() => rerun.mutate(steps)}>
            <RotateCw aria-hidden size={16} />
            {isFailed ? words.standstill.run : words.standstill.runNow}
          </Button>
        )}
        {isByChange && refusal === null && (
          <LinkButton to="/p/$project/items/$item/edit" params={{ project, item: item.id }}>
            {words.change}
          </LinkButton>
        )}
      </Buttons>
      {refusal && <Hint>{refusals[refusal]}</Hint>}
    </Notice>
  );
}

function BlockerExplanation({ item, blocker }: { item: Item; blocker: Blocker }) {
  const words = useWords();
  const format = useFormat();
  const { standstill: said } = words.item;
  const { code, position, steps, retryAt } = blocker;
  const reason = code === null ? said.volume : reasonOrOther(code, words);
  return (
    <>
      <p>
        <strong>{steps.map((step) => words.steps[step]).join(', ')}</strong>
        {': '}
        {reason}
        {position !== null && item.media.length > 1 && ` (${words.item.medium(position + 1)})`}
        {code !== null && (
          <>
            {' '}
            <code className={styles.code}>{code}</code>
          </>
        )}
      </p>
      <p>{code === null ? said.volumeRemedy : said.remedies[remedyOf(code)]}</p>
      {retryAt !== null && <p>{said.retried(format.moment(retryAt))}</p>}
    </>
  );
}
