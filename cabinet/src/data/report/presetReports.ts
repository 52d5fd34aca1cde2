/** Ready-made reports of the gallery. */
import type { ReportSearch } from './reportAddress.ts';

type PresetReport = Pick<ReportSearch, 'by' | 'show' | 'where' | 'robots'>;

const VISITS = ['visits', 'visitors', 'bounce_rate', 'avg_visit_duration'];

export const PRESET_REPORTS = {
  sources: {
    sources: { by: ['source_type', 'source_name'], show: VISITS },
    campaigns: { by: ['utm_source', 'utm_medium', 'utm_campaign'], show: [...VISITS, 'conversions'] },
    phrases: { by: ['search_phrase', 'search_engine'], show: VISITS },
    referrers: { by: ['referrer_domain'], show: VISITS },
    assistants: { by: ['ai_assistant', 'entry_path'], show: VISITS },
  },
  pages: {
    pages: { by: ['page_path'], show: ['pageviews', 'visitors', 'avg_time_on_page', 'avg_scroll_depth'] },
    entries: { by: ['entry_path'], show: VISITS },
    exits: { by: ['page_path'], show: ['exits', 'exit_rate', 'pageviews'] },
    events: { by: ['event_name'], show: ['events', 'visits', 'visitors'] },
    forms: { by: ['form_id'], show: ['form_submissions', 'visits', 'visitors'] },
    outbound: { by: ['outbound_domain'], show: ['outbound_clicks', 'visits', 'visitors'] },
    downloads: { by: ['download_url'], show: ['downloads', 'visits', 'visitors'] },
  },
  visits: {
    days: { by: ['date'], show: ['visits', 'visitors', 'pageviews', 'bounce_rate'] },
    hours: { by: ['hour'], show: ['visits', 'visitors', 'conversion_rate'] },
    weekdays: { by: ['day_of_week'], show: ['visits', 'visitors', 'conversion_rate'] },
    robots: { by: ['robot_reason'], show: ['visits', 'pageviews'], robots: 'only' },
  },
  visitors: {
    loyalty: { by: ['visitor_type'], show: [...VISITS, 'conversion_rate'] },
    devices: { by: ['device_type', 'os'], show: VISITS },
    browsers: { by: ['browser', 'browser_version'], show: VISITS },
    places: { by: ['country', 'city'], show: VISITS },
    gender: { by: ['gender', 'age_group'], show: ['people', 'visits', 'conversion_rate'] },
    interests: { by: ['interest'], show: ['people', 'people_share', 'affinity_index'] },
  },
  goals: {
    goals: { by: ['goal'], show: ['conversions', 'converted_visits', 'converted_visitors', 'conversion_value'] },
    conversion: { by: ['source_type', 'source_name'], show: ['visits', 'conversions', 'conversion_rate'] },
    sales: {
      by: ['source_type', 'source_name'],
      show: ['orders', 'revenue', 'avg_order_value', 'order_conversion_rate'],
    },
    products: {
      by: ['product_name', 'product_brand'],
      show: ['product_quantity', 'product_revenue', 'product_orders'],
    },
    promo: { by: ['promo_code'], show: ['orders', 'revenue', 'avg_order_value', 'buyers'] },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Immutable<PresetReport>>>>>;

type Immutable<T> = { readonly [K in keyof T]: T[K] extends (infer Item)[] | undefined ? readonly Item[] : T[K] };

/** Returns the report as the search parameters of the report page's address. */
export function searchOfPreset({ by, show, robots }: Immutable<PresetReport>): ReportSearch {
  return { by: [...(by ?? [])], show: [...(show ?? [])], robots };
}
