import { Link } from '@tanstack/react-router';
import type { Delivery, WebhookIds } from '../../../../data/webhooks/webhooks.ts';
import { FramedTable, MomentCell } from '../../../../ui/tables/FramedTable.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { storyOf } from './deliveryState.ts';
import { StateBadge } from './StateBadge.tsx';
import styles from './Journal.module.css';

export function JournalTable({ ids, deliveries }: { ids: WebhookIds; deliveries: readonly Delivery[] }) {
  const words = useWords();
  const format = useFormat();
  const { columns, title } = words.journal;
  return (
    <FramedTable
      label={title}
      titles={[columns.delivery, columns.state, columns.outcome, columns.created]}
      className={styles.table}
    >
      {deliveries.map((delivery) => (
        <tr key={delivery.delivery_id}>
          <td>
            <Link
              to="/p/$project/webhooks/$webhook/deliveries/$delivery"
              params={{ ...ids, delivery: delivery.delivery_id }}
            >
              {delivery.item_id}
            </Link>
            <span className={styles.soft}>{words.webhooks.eventNames[delivery.event]}</span>
          </td>
          <td>
            <StateBadge delivery={delivery} />
          </td>
          <td>{storyOf(delivery, words, format)}</td>
          <MomentCell>{format.moment(delivery.created_at)}</MomentCell>
        </tr>
      ))}
    </FramedTable>
  );
}
