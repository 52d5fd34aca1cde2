import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { wholeItemQuery, type Item } from '../../../../data/items/items.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { Problem } from '../../../../ui/messages/Problem.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import type { TextMark } from '../media/placesToOpen.ts';
import styles from './TextCard.module.css';

interface Props {
  project: string;
  item: Item;
  /** The words to mark, and to scroll to. */
  mark: TextMark | null;
}

/** Shows the main text of an item, or the text that contains the mark. */
export function TextCard({ project, item, mark }: Props) {
  const { item: words } = useWords();
  const { data, error, refetch } = useQuery(wholeItemQuery(project, item.id, item.updated_at));
  const marked = useRef<HTMLElement>(null);
  const part = mark?.part ?? 'body';
  const text = (part === 'body' ? data?.body : item[part]) ?? '';
  useEffect(() => {
    if (mark) marked.current?.scrollIntoView({ block: 'center' });
  }, [mark, text]);
  if (error && part === 'body' && !data)
    return (
      <Card title={words.parts[part]}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Card>
    );
  if (text.trim() === '') return null;
  const { offset, length } = mark ?? { offset: text.length, length: 0 };
  return (
    <Card title={words.parts[part]}>
      <p className={styles.text} tabIndex={0}>
        {text.slice(0, offset)}
        {length > 0 && <mark ref={marked}>{text.slice(offset, offset + length)}</mark>}
        {text.slice(offset + length)}
      </p>
    </Card>
  );
}
