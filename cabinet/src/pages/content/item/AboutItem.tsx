import type { ReactNode } from 'react';
import type { Item } from '../../../data/items.ts';
import { Card } from '../../../ui/Card.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './AboutItem.module.css';

/** Shows the integrator's data about the item. */
export function AboutItem({ item }: { item: Item }) {
  const { item: words } = useWords();
  const format = useFormat();
  const rows: [string, ReactNode][] = [
    [words.text, item.description],
    [words.author, item.author],
    [words.published, item.published_at && format.moment(item.published_at)],
    [words.address, item.url && <SafeLink url={item.url} />],
    ...Object.entries(item.properties ?? {}).map(([name, value]): [string, ReactNode] => [name, textOf(value)]),
  ];
  const filled = rows.filter(([, value]) => value !== null && value !== '');
  if (filled.length === 0) return null;
  return (
    <Card title={words.about}>
      <dl className={styles.list}>
        {filled.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** An address from an integrator may have any scheme: only web pages become links. */
function SafeLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
