import type { VisitorDetail } from '../../../data/sites/visitors.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { useOrderText } from './useOrderText.ts';

type Order = VisitorDetail['orders'][number];

/** Lists purchases and refunds, including those from the API, which have no visit. */
export function OrdersCard({ orders }: { orders: readonly Order[] }) {
  const { visitor: words } = useWords();
  const format = useFormat();
  const orderText = useOrderText();
  const { orderColumns: columns } = words;
  const shown: Column<Order>[] = [
    {
      key: 'order',
      title: columns.order,
      cell: (order) => <RowTitle title={orderText(order)} detail={order.transaction_id} />,
    },
    { key: 'when', title: columns.when, cell: ({ occurred_at }) => format.moment(occurred_at) },
    { key: 'promo', title: columns.promo, cell: ({ promo_code }) => promo_code ?? '—' },
  ];
  return (
    <Card title={words.orders}>
      <DataTable
        label={words.orders}
        columns={shown}
        rows={orders}
        idOf={({ transaction_id, status }) => `${transaction_id} ${status}`}
      />
    </Card>
  );
}
