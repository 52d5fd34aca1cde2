import { Link } from '@tanstack/react-router';
import type { cabinet } from '../../data/client.ts';
import { Status } from '../messages/Status.tsx';
import styles from './Rows.module.css';

/** Lists a few items with their status, each linked to its page. */
export function ItemRows({ project, items }: { project: string; items: readonly cabinet.CabinetItem[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={item.id}>
          <Link to="/p/$project/items/$item" params={{ project, item: item.id }} className={styles.row}>
            <span className={styles.title}>{item.title ?? item.id}</span>
            <Status status={item.status} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
