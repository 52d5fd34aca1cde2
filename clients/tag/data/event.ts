/** The payload of the tag: the body of POST /collect, see docs/collect.md. */

export type EventType =
  | 'pageview'
  | 'event'
  | 'goal'
  | 'purchase'
  | 'refund'
  | 'user'
  | 'form'
  | 'click'
  | 'outbound'
  | 'download'
  | 'scroll'
  | 'ping';

export type Params = Record<string, unknown>;

export interface EventFields {
  url: string;
  referrer?: string;
  title?: string;
  name?: string;
  target?: string;
  /** Percent. */
  depth?: number;
  /** CSS pixels from the document's top left corner. */
  x?: number;
  y?: number;
  selector?: string;
  /** 0 to 1, within the element that was clicked. */
  element_x?: number;
  element_y?: number;
  /** CSS pixels. */
  viewport_width?: number;
  viewport_height?: number;
  document_width?: number;
  document_height?: number;
  params?: Params;
  order?: Params;
  user?: Params;
}

export interface TagEvent extends EventFields {
  /** UUID: a repeat of the same id within 24 h is dropped. */
  id: string;
  /** ISO-8601 with milliseconds, by the device's clock. */
  at: string;
  type: EventType;
}

export interface Device {
  screen: string;
  window: string;
  language: string;
  timezone: string;
}
