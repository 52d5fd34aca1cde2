import type { VisitorDetail } from '../../../data/sites/visitors.ts';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

type Order = VisitorDetail['orders'][number];

/** Returns a function that describes an order or a refund. */
export function useOrderText(): (order: Order) => string {
  const { rowCodes } = useWords();
  const format = useFormat();
  return ({ status, revenue, currency }) => {
    const amount =
      revenue === null ? null : currency === null ? format.number(revenue) : format.price(revenue, currency);
    return [rowCodes.orderStatus[status], amount].filter((part) => part !== null && part !== undefined).join(': ');
  };
}
