import { Link } from '@tanstack/react-router';
import type { ListedItem } from '../../../data/items/items.ts';
import { FramedTable, MomentCell } from '../../../ui/tables/FramedTable.tsx';
import { Status } from '../../../ui/messages/Status.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { ItemWarnings } from './ItemWarnings.tsx';
import { Thumb } from './Thumb.tsx';
import styles from './ItemTable.module.css';

interface Props {
  project: string;
  items: readonly ListedItem[];
}

export function ItemTable({ project, items }: Props) {
  const words = useWords();
  const format = useFormat();
  const { columns } = words.items;
  return (
    <FramedTable
      label={words.items.title}
      titles={[columns.item, columns.type, columns.status, columns.updated]}
      className={styles.table}
    >
      {items.map((item) => (
        <tr key={item.id}>
          <td>
            <div className={styles.item}>
              <Thumb item={item} />
              <div>
                <Link to="/p/$project/items/$item" params={{ project, item: item.id }}>
                  {item.title ?? item.id}
                </Link>
                <span className={styles.id}>{item.id}</span>
              </div>
            </div>
          </td>
          <td>{words.types[item.type]}</td>
          <td>
            <div className={styles.marks}>
              <Status status={item.status} />
              <ItemWarnings item={item} />
            </div>
          </td>
          <MomentCell>{format.moment(item.updated_at)}</MomentCell>
        </tr>
      ))}
    </FramedTable>
  );
}
