import type { ReactNode } from 'react';
import type { Item } from '../../../data/items/items.ts';
import type { ItemField } from '../../../data/itemFields.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './AboutItem.module.css';

/**
 * Fields that need no row: other parts of the page show them, and each of the properties has a row of its own.
 */
type ShownElsewhere = 'type' | 'title' | 'body' | 'media' | 'available' | 'properties';
/** A name and a value. */
type Row = [string, ReactNode];

/** Shows the integrator's data about the item. */
export function AboutItem({ item }: { item: Item }) {
  const { item: words } = useWords();
  const format = useFormat();
  const own: Readonly<Record<Exclude<ItemField, ShownElsewhere>, Row>> = {
    description: [words.text, item.description],
    author: [words.author, item.author],
    published_at: [words.published, item.published_at && format.moment(item.published_at)],
    url: [words.address, item.url && <SafeLink url={item.url} />],
  };
  const properties = Object.entries(item.properties ?? {}).map(([name, value]): Row => [name, textOf(value)]);
  const filled = [...Object.values(own), ...properties].filter(([, value]) => value !== null && value !== '');
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
