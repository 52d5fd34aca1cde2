/** The source of a visit, in the terms of reports. */

export const SOURCE_TYPES = [
  'direct',
  'internal',
  'organic',
  'ad',
  'referral',
  'social',
  'messenger',
  'email',
  'ai_assistant',
  'recommendation',
  'saved',
  'unknown',
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** Absent parts are null. Texts have at most 500 characters, addresses 2,048. */
export interface TrafficSource {
  source_type: SourceType;
  /** Its name in reports: the search engine, the network, the domain, utm_source. */
  source_name: string | null;
  search_engine: string | null;
  search_phrase: string | null;
  social_network: string | null;
  messenger: string | null;
  ai_assistant: string | null;
  ad_system: string | null;
  referrer_domain: string | null;
  referrer_url: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  utm_content: string | null;
  utm_term: string | null;
  /** `<parameter>:<value>`, such as `gclid:Cj0…`. */
  click_id: string | null;
}
