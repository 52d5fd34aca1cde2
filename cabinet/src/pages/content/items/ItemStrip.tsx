import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { itemsByIdQuery } from '../../../data/items/items.ts';
import { Thumb } from './Thumb.tsx';
import styles from './ItemStrip.module.css';

interface Props {
  /** The property that the items have in common. */
  label: string;
  project: string;
  items: readonly { id: string; title: string }[];
}

/** Shows a row of items as pictures, each linked to its page. */
export function ItemStrip({ label, project, items }: Props) {
  const { data = [] } = useQuery(
    itemsByIdQuery(
      project,
      items.map(({ id }) => id),
    ),
  );
  const known = new Map(data.map((item) => [item.id, item]));
  return (
    <ul className={styles.strip} aria-label={label}>
      {items.map(({ id, title }) => (
        <li key={id}>
          <Link to="/p/$project/items/$item" params={{ project, item: id }} className={styles.item}>
            <Thumb item={known.get(id)} />
            <span className={styles.title}>{title}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
