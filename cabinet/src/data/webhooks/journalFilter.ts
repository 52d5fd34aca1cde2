/** The filter of a webhook's deliveries and the time span of its charts, as stored in the address. */
import type { cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { limits } from '../apiLimits.ts';
import { oneOf } from '../searchValues.ts';
import { EVENTS, type DeliveryEvent } from '../webhookEvents.ts';

export type DeliveryStatus = cabinet.Delivery['status'];
export type DeliveryCode = NonNullable<cabinet.Delivery['error_code']>;

export const STATUSES = exhaustiveList<DeliveryStatus>({ pending: true, delivered: true, failed: true, dropped: true });
export const CODES = exhaustiveList<DeliveryCode>({
  timeout: true,
  connection: true,
  tls: true,
  dns: true,
  http_status: true,
  redirect: true,
  forbidden_address: true,
});
/** Hours back from now. */
export const PERIOD_HOURS = { hour: 1, day: 24, week: 7 * 24 } as const;
export type Period = keyof typeof PERIOD_HOURS;
export const PERIODS = Object.keys(PERIOD_HOURS) as Period[];

/** Number of hours that charts go back. */
export const SPAN_HOURS = { days: 48, week: 7 * 24, month: 30 * 24 } as const;
export type Span = keyof typeof SPAN_HOURS;
export const SPANS = Object.keys(SPAN_HOURS) as Span[];

export interface JournalFilter {
  status?: DeliveryStatus | undefined;
  event?: DeliveryEvent | undefined;
  code?: DeliveryCode | undefined;
  period?: Period | undefined;
  item?: string | undefined;
}

function journalFilterOf({ status, event, code, period, item }: Record<string, unknown>): JournalFilter {
  return {
    status: oneOf(STATUSES, status),
    event: oneOf(EVENTS, event),
    code: oneOf(CODES, code),
    period: oneOf(PERIODS, period),
    item: typeof item === 'string' && item !== '' && item.length <= limits.listDeliveries_item ? item : undefined,
  };
}

export interface WebhookSearch extends JournalFilter {
  span?: Span | undefined;
}

export function webhookSearchOf(search: Record<string, unknown>): WebhookSearch {
  return { ...journalFilterOf(search), span: oneOf(SPANS, search['span']) };
}
