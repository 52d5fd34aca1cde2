import type { Item } from '../../../../data/items/items.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { pendingText } from '../analysis/pendingText.ts';
import { reasonOf } from '../analysis/remedies.ts';
import styles from './ItemSummary.module.css';

export function ItemSummary({ item }: { item: Item }) {
  const all = useWords();
  const words = all.item;
  const { summary, processing } = item;
  const pending = pendingText(processing.summary, words);
  return (
    <Card title={words.summary} aside={summary?.age_rating && <span className={styles.age}>{summary.age_rating}</span>}>
      {summary ? (
        <div lang={summary.language ?? ''} className={styles.text}>
          <p>{summary.summary}</p>
          {summary.description !== null && <p className={styles.more}>{summary.description}</p>}
        </div>
      ) : (
        <p className={styles.more}>{pending ?? reasonOf(item, 'summary', all) ?? words.noSummary}</p>
      )}
      {summary && <Labels title={words.topics} labels={summary.topics} />}
      {summary && <Labels title={words.tags} labels={summary.tags} />}
      {summary && <Labels title={words.people} labels={summary.entities.flatMap(nameOf)} />}
    </Card>
  );
}

function Labels({ title, labels }: { title: string; labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return (
    <div className={styles.labels}>
      <h3>{title}</h3>
      <ul>
        {labels.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
    </div>
  );
}

function nameOf(entity: Record<string, unknown>): string[] {
  return typeof entity['name'] === 'string' ? [entity['name']] : [];
}
