import { useState } from 'react';
import type { Item } from '../../../data/items/items.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './ItemJson.module.css';

/** Shows the API response, for developers. It is rendered only when opened. */
export function ItemJson({ item }: { item: Item }) {
  const { item: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.json} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.json}</summary>
      {isOpen && (
        <pre tabIndex={0}>
          <code>{JSON.stringify(item, null, 2)}</code>
        </pre>
      )}
    </details>
  );
}
