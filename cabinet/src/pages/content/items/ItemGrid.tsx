import { Link } from '@tanstack/react-router';
import type { ListedItem } from '../../../data/items/items.ts';
import { Status } from '../../../ui/messages/Status.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { ItemWarnings } from './ItemWarnings.tsx';
import { Thumb } from './Thumb.tsx';
import styles from './ItemGrid.module.css';

/** Shows items as a grid of pictures. */
export function ItemGrid({ project, items }: { project: string; items: readonly ListedItem[] }) {
  const words = useWords();
  return (
    <ul className={styles.grid} aria-label={words.items.title}>
      {items.map((item) => (
        <li key={item.id}>
          <Link to="/p/$project/items/$item" params={{ project, item: item.id }} className={styles.card}>
            <Thumb item={item} />
            <strong className={styles.title}>{item.title ?? item.id}</strong>
            <span className={styles.marks}>
              <Status status={item.status} />
              <ItemWarnings item={item} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
