// Generated from the OpenAPI description by `npm run client:generate`. Do not edit.

export type ClientOptions = {
    baseUrl: `${string}://${string}/analytics/api/v1` | (string & {});
};

export type ConversionIn = unknown & {
    /**
     * Id of the conversion: printable ASCII, unique within the site; a repeat counts once
     */
    id: string;
    /**
     * Code of an enabled goal of type js
     */
    goal: string;
    /**
     * Visitor: the value of the cookie _svc_a, a UUID
     */
    visitor_id?: string;
    /**
     * Id of the user on the site
     */
    user_id?: string;
    /**
     * By default the time of receipt, which also replaces a time in the future
     */
    occurred_at?: string;
    /**
     * Takes precedence over the amount of the goal; in the currency of the site
     */
    value?: number;
};

export type ConversionsRequest = {
    conversions: Array<ConversionIn>;
};

/**
 * accepted + duplicates + the number of rejected = the number sent
 */
export type ConversionsResponse = {
    /**
     * Records accepted for the first time
     */
    accepted: number;
    /**
     * Records that had been counted before
     */
    duplicates: number;
    rejected: Array<{
        /**
         * Position of the record in the batch, from 0
         */
        index: number;
        code: 'unknown_goal' | 'unknown_visitor' | 'too_old';
    }>;
};

export type Product = unknown & {
    id?: string | null;
    name?: string | null;
    /**
     * Levels separated by /
     */
    category?: string | null;
    brand?: string | null;
    variant?: string | null;
    /**
     * Price per unit
     */
    price?: number | null;
    qty?: number | null;
};

export type OrderIn = unknown & {
    /**
     * Id of the order. A purchase counts once, whether the tag or this API sends it, and so does its refund
     */
    transaction_id: string;
    /**
     * Visitor: the value of the cookie _svc_a, a UUID
     */
    visitor_id?: string;
    /**
     * Id of the user on the site
     */
    user_id?: string;
    /**
     * By default the time of receipt, which also replaces a time in the future
     */
    occurred_at?: string;
    status?: 'purchased' | 'refunded';
    /**
     * ISO 4217. The default is the currency of the site, and for a refund that of its purchase
     */
    currency?: string;
    /**
     * Revenue of the order. A refund pays this amount back; by default, all of it
     */
    revenue?: number;
    /**
     * An error here rejects the order with invalid_products
     */
    products?: Array<Product> | null;
};

export type OrdersRequest = {
    orders: Array<OrderIn>;
};

/**
 * accepted + duplicates + the number of rejected = the number sent
 */
export type OrdersResponse = {
    /**
     * Records accepted for the first time
     */
    accepted: number;
    /**
     * Records that had been counted before
     */
    duplicates: number;
    rejected: Array<{
        /**
         * Position of the record in the batch, from 0
         */
        index: number;
        code: 'unknown_visitor' | 'too_old' | 'invalid_products';
    }>;
};

export type ReportDimension = 'date' | 'week' | 'month' | 'quarter' | 'year' | 'hour' | 'day_of_week' | 'date_hour' | 'source_type' | 'source_name' | 'search_engine' | 'search_phrase' | 'social_network' | 'messenger' | 'ai_assistant' | 'ad_system' | 'referrer_domain' | 'referrer_url' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_content' | 'utm_term' | 'click_id' | 'entry_page' | 'entry_path' | 'entry_domain' | 'entry_path_level1' | 'entry_path_level2' | 'entry_path_level3' | 'exit_page' | 'exit_path' | 'visitor_type' | 'visit_number' | 'pageviews_bucket' | 'duration_bucket' | 'bounce' | 'days_since_first_visit' | 'days_since_previous_visit' | 'is_robot' | 'robot_reason' | 'logged_in' | string | 'device_type' | 'device_brand' | 'device_model' | 'os' | 'os_version' | 'browser' | 'browser_version' | 'browser_engine' | 'browser_language' | 'screen_resolution' | 'window_size' | 'visitor_timezone' | 'continent' | 'country' | 'region' | 'city' | 'page_url' | 'page_path' | 'page_domain' | 'page_title' | 'page_path_level1' | 'page_path_level2' | 'page_path_level3' | 'event_name' | string | 'form_id' | 'outbound_domain' | 'outbound_url' | 'download_url' | 'goal' | 'goal_source' | 'order_status' | 'order_currency' | 'transaction_id' | 'promo_code' | 'product_id' | 'product_name' | 'product_brand' | 'product_variant' | 'product_category_level1' | 'product_category_level2' | 'product_category_level3' | 'product_category_level4' | 'product_category_level5' | 'gender' | 'age_group' | 'interest' | 'has_children' | 'children_age' | 'company_type' | 'industry' | 'company_region' | 'purchase_category' | 'price_segment' | 'geo_person_country' | 'geo_person_region' | 'geo_person_city' | string | string;

export type ReportMetric = 'visits' | 'visitors' | 'users' | 'new_visitors' | 'new_visitors_share' | 'pageviews' | 'hits' | 'pages_per_visit' | 'avg_visit_duration' | 'bounce_rate' | 'bounces' | 'visits_per_visitor' | 'visits_per_day' | 'robot_visits' | 'robot_share' | 'mobile_share' | 'unique_pageviews' | 'entrances' | 'exits' | 'exit_rate' | 'avg_time_on_page' | 'avg_scroll_depth' | 'events' | 'form_submissions' | 'outbound_clicks' | 'downloads' | 'conversions' | string | 'converted_visits' | string | 'converted_visitors' | string | 'conversion_rate' | string | 'visitor_conversion_rate' | string | 'conversion_value' | string | 'value_per_conversion' | string | 'orders' | 'buyers' | 'revenue' | 'avg_order_value' | 'revenue_per_visit' | 'revenue_per_visitor' | 'order_conversion_rate' | 'refunds' | 'refund_revenue' | 'gross_revenue' | 'first_orders' | 'repeat_orders' | 'product_quantity' | 'product_revenue' | 'product_orders' | 'product_avg_price' | 'product_refunded_quantity' | 'people' | 'people_share' | 'undefined_share' | 'network_share' | 'affinity_index';

/**
 * eq, neq, contains (ignores case) and regex (RE2) take one value; in takes up to 100. Values are codes, not labels
 */
export type ReportFilter = {
    dimension: ReportDimension;
    op: 'eq' | 'neq' | 'contains' | 'regex' | 'in';
    values: Array<string>;
};

/**
 * A condition within others, or a group of conditions
 */
export type ReportCondition = {
    dimension: ReportDimension;
    op: 'eq' | 'neq' | 'contains' | 'regex' | 'in';
    values: Array<string>;
} | {
    metric: ReportMetric;
    op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
    value: number;
} | {
    all: Array<ReportCondition>;
} | {
    any: Array<ReportCondition>;
} | {
    not: ReportCondition;
} | Array<ReportCondition>;

/**
 * A condition on a dimension or on a metric of a visit, or conditions combined by all, any and not; a list means all. At most 50 conditions, groups at most four deep
 */
export type ReportSegment = {
    dimension: ReportDimension;
    op: 'eq' | 'neq' | 'contains' | 'regex' | 'in';
    values: Array<string>;
    /**
     * visitor: all visits in the period of every visitor who has at least one visit that meets the conditions
     */
    scope?: 'visit' | 'visitor';
} | {
    metric: ReportMetric;
    op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
    value: number;
    /**
     * visitor: all visits in the period of every visitor who has at least one visit that meets the conditions
     */
    scope?: 'visit' | 'visitor';
} | {
    all: Array<ReportCondition>;
    /**
     * visitor: all visits in the period of every visitor who has at least one visit that meets the conditions
     */
    scope?: 'visit' | 'visitor';
} | {
    any: Array<ReportCondition>;
    /**
     * visitor: all visits in the period of every visitor who has at least one visit that meets the conditions
     */
    scope?: 'visit' | 'visitor';
} | {
    not: ReportCondition;
    /**
     * visitor: all visits in the period of every visitor who has at least one visit that meets the conditions
     */
    scope?: 'visit' | 'visitor';
} | Array<ReportCondition>;

export type ReportRequest = {
    /**
     * The dimensions by which rows are grouped; without any there is one row for everything
     */
    dimensions?: Array<ReportDimension>;
    /**
     * The numbers of a row
     */
    metrics: Array<ReportMetric>;
    /**
     * A day in the site's time zone, included in the period; not in the future. A period has at most 25 months
     */
    date_from: string;
    /**
     * A day in the site's time zone, included in the period; not in the future. A period has at most 25 months
     */
    date_to: string;
    filters?: Array<ReportFilter>;
    /**
     * A saved segment of the site, in place of the field segment
     */
    segment_id?: string;
    segment?: ReportSegment;
    /**
     * Which source of a visit the source dimensions show
     */
    attribution?: 'last_significant' | 'first' | 'last';
    /**
     * Whether visits by robots count, do not count, or are the only ones that count
     */
    robots?: 'exclude' | 'include' | 'only';
    /**
     * field is a dimension or metric of the request. The default is the first time dimension ascending, or without one the first metric descending. Equal rows are sorted by their dimensions, ascending
     */
    sort?: Array<{
        field: string;
        dir: 'asc' | 'desc';
    }>;
    limit?: number;
    offset?: number;
};

export type ReportName = {
    id: string;
    name: string;
};

export type ReportRow = {
    /**
     * In the order of the request; {id, name} for places, interests, categories and goals; null: unknown
     */
    dimensions: Array<string | ReportName | null>;
    /**
     * In the order of the request
     */
    metrics: Array<number>;
};

export type ReportNote = {
    code: 'missing_rate' | 'no_city_database';
    message: string;
};

export type ReportResponse = {
    data: Array<ReportRow>;
    /**
     * Each metric over all rows
     */
    totals: Array<number>;
    /**
     * Whether it was computed on 10 percent of the visitors; counts and sums are then scaled
     */
    sampled: boolean;
    /**
     * Time zone of the site
     */
    timezone: string;
    /**
     * Remarks on the numbers. missing_rate: amounts in a currency without a rate are left out of money. no_city_database: regions and cities of visits are unknown because the installation has no city database
     */
    notes?: Array<ReportNote>;
};

/**
 * Replaced as a whole. A city implies its region and country, a region its country
 */
export type Geo = {
    /**
     * ISO 3166-1 alpha-2
     */
    country?: 'AD' | 'AE' | 'AF' | 'AG' | 'AI' | 'AL' | 'AM' | 'AO' | 'AQ' | 'AR' | 'AS' | 'AT' | 'AU' | 'AW' | 'AX' | 'AZ' | 'BA' | 'BB' | 'BD' | 'BE' | 'BF' | 'BG' | 'BH' | 'BI' | 'BJ' | 'BL' | 'BM' | 'BN' | 'BO' | 'BQ' | 'BR' | 'BS' | 'BT' | 'BV' | 'BW' | 'BY' | 'BZ' | 'CA' | 'CC' | 'CD' | 'CF' | 'CG' | 'CH' | 'CI' | 'CK' | 'CL' | 'CM' | 'CN' | 'CO' | 'CR' | 'CU' | 'CV' | 'CW' | 'CX' | 'CY' | 'CZ' | 'DE' | 'DJ' | 'DK' | 'DM' | 'DO' | 'DZ' | 'EC' | 'EE' | 'EG' | 'EH' | 'ER' | 'ES' | 'ET' | 'FI' | 'FJ' | 'FK' | 'FM' | 'FO' | 'FR' | 'GA' | 'GB' | 'GD' | 'GE' | 'GF' | 'GG' | 'GH' | 'GI' | 'GL' | 'GM' | 'GN' | 'GP' | 'GQ' | 'GR' | 'GS' | 'GT' | 'GU' | 'GW' | 'GY' | 'HK' | 'HM' | 'HN' | 'HR' | 'HT' | 'HU' | 'ID' | 'IE' | 'IL' | 'IM' | 'IN' | 'IO' | 'IQ' | 'IR' | 'IS' | 'IT' | 'JE' | 'JM' | 'JO' | 'JP' | 'KE' | 'KG' | 'KH' | 'KI' | 'KM' | 'KN' | 'KP' | 'KR' | 'KW' | 'KY' | 'KZ' | 'LA' | 'LB' | 'LC' | 'LI' | 'LK' | 'LR' | 'LS' | 'LT' | 'LU' | 'LV' | 'LY' | 'MA' | 'MC' | 'MD' | 'ME' | 'MF' | 'MG' | 'MH' | 'MK' | 'ML' | 'MM' | 'MN' | 'MO' | 'MP' | 'MQ' | 'MR' | 'MS' | 'MT' | 'MU' | 'MV' | 'MW' | 'MX' | 'MY' | 'MZ' | 'NA' | 'NC' | 'NE' | 'NF' | 'NG' | 'NI' | 'NL' | 'NO' | 'NP' | 'NR' | 'NU' | 'NZ' | 'OM' | 'PA' | 'PE' | 'PF' | 'PG' | 'PH' | 'PK' | 'PL' | 'PM' | 'PN' | 'PR' | 'PS' | 'PT' | 'PW' | 'PY' | 'QA' | 'RE' | 'RO' | 'RS' | 'RU' | 'RW' | 'SA' | 'SB' | 'SC' | 'SD' | 'SE' | 'SG' | 'SH' | 'SI' | 'SJ' | 'SK' | 'SL' | 'SM' | 'SN' | 'SO' | 'SR' | 'SS' | 'ST' | 'SV' | 'SX' | 'SY' | 'SZ' | 'TC' | 'TD' | 'TF' | 'TG' | 'TH' | 'TJ' | 'TK' | 'TL' | 'TM' | 'TN' | 'TO' | 'TR' | 'TT' | 'TV' | 'TW' | 'TZ' | 'UA' | 'UG' | 'UM' | 'US' | 'UY' | 'UZ' | 'VA' | 'VC' | 'VE' | 'VG' | 'VI' | 'VN' | 'VU' | 'WF' | 'WS' | 'YE' | 'YT' | 'ZA' | 'ZM' | 'ZW';
    /**
     * ISO 3166-2
     */
    region?: 'RU-AD' | 'RU-AL' | 'RU-BA' | 'RU-BU' | 'RU-CE' | 'RU-CU' | 'RU-DA' | 'RU-IN' | 'RU-KB' | 'RU-KL' | 'RU-KC' | 'RU-KR' | 'RU-KK' | 'RU-KO' | 'RU-ME' | 'RU-MO' | 'RU-SA' | 'RU-SE' | 'RU-TA' | 'RU-TY' | 'RU-UD' | 'RU-ALT' | 'RU-KAM' | 'RU-KHA' | 'RU-KDA' | 'RU-KYA' | 'RU-PER' | 'RU-PRI' | 'RU-STA' | 'RU-ZAB' | 'RU-AMU' | 'RU-ARK' | 'RU-AST' | 'RU-BEL' | 'RU-BRY' | 'RU-CHE' | 'RU-IRK' | 'RU-IVA' | 'RU-KGD' | 'RU-KLU' | 'RU-KEM' | 'RU-KIR' | 'RU-KOS' | 'RU-KGN' | 'RU-KRS' | 'RU-LEN' | 'RU-LIP' | 'RU-MAG' | 'RU-MOS' | 'RU-MUR' | 'RU-NIZ' | 'RU-NGR' | 'RU-NVS' | 'RU-OMS' | 'RU-ORE' | 'RU-ORL' | 'RU-PNZ' | 'RU-PSK' | 'RU-ROS' | 'RU-RYA' | 'RU-SAK' | 'RU-SAM' | 'RU-SAR' | 'RU-SMO' | 'RU-SVE' | 'RU-TAM' | 'RU-TOM' | 'RU-TUL' | 'RU-TVE' | 'RU-TYU' | 'RU-ULY' | 'RU-VLA' | 'RU-VGG' | 'RU-VLG' | 'RU-VOR' | 'RU-YAR' | 'RU-MOW' | 'RU-SPE' | 'RU-YEV' | 'RU-CHU' | 'RU-KHM' | 'RU-NEN' | 'RU-YAN' | 'BY-HM' | 'BY-MI' | 'BY-BR' | 'BY-HO' | 'BY-HR' | 'BY-MA' | 'BY-VI' | 'KZ-75' | 'KZ-71' | 'KZ-79' | 'KZ-10' | 'KZ-11' | 'KZ-15' | 'KZ-19' | 'KZ-23' | 'KZ-63' | 'KZ-31' | 'KZ-33' | 'KZ-35' | 'KZ-39' | 'KZ-43' | 'KZ-47' | 'KZ-55' | 'KZ-59' | 'KZ-61' | 'KZ-62' | 'KZ-27';
    /**
     * Id of a city, or its name
     */
    city?: string;
};

export type Company = {
    type?: 'self_employed' | 'sole_proprietor' | 'small_company' | 'medium_company' | 'large_company' | 'state_company' | 'government' | 'budget_institution' | 'non_profit';
    industry?: 'agriculture' | 'forestry' | 'mining' | 'oil_gas' | 'energy' | 'metallurgy' | 'chemistry' | 'machinery' | 'automotive' | 'electronics' | 'food_production' | 'light_industry' | 'construction' | 'real_estate' | 'wholesale' | 'retail' | 'ecommerce' | 'transport' | 'logistics' | 'hospitality' | 'tourism' | 'it' | 'telecom' | 'media' | 'marketing' | 'finance' | 'insurance' | 'consulting' | 'legal' | 'accounting' | 'staffing' | 'design' | 'science' | 'education' | 'health' | 'pharma' | 'beauty' | 'sport' | 'culture' | 'entertainment' | 'household_services' | 'security' | 'utilities' | 'waste' | 'public_administration' | 'defence' | 'non_profit' | 'other';
    /**
     * ISO 3166-2, or the country itself when the dictionary has no regions for it
     */
    region?: 'RU-AD' | 'RU-AL' | 'RU-BA' | 'RU-BU' | 'RU-CE' | 'RU-CU' | 'RU-DA' | 'RU-IN' | 'RU-KB' | 'RU-KL' | 'RU-KC' | 'RU-KR' | 'RU-KK' | 'RU-KO' | 'RU-ME' | 'RU-MO' | 'RU-SA' | 'RU-SE' | 'RU-TA' | 'RU-TY' | 'RU-UD' | 'RU-ALT' | 'RU-KAM' | 'RU-KHA' | 'RU-KDA' | 'RU-KYA' | 'RU-PER' | 'RU-PRI' | 'RU-STA' | 'RU-ZAB' | 'RU-AMU' | 'RU-ARK' | 'RU-AST' | 'RU-BEL' | 'RU-BRY' | 'RU-CHE' | 'RU-IRK' | 'RU-IVA' | 'RU-KGD' | 'RU-KLU' | 'RU-KEM' | 'RU-KIR' | 'RU-KOS' | 'RU-KGN' | 'RU-KRS' | 'RU-LEN' | 'RU-LIP' | 'RU-MAG' | 'RU-MOS' | 'RU-MUR' | 'RU-NIZ' | 'RU-NGR' | 'RU-NVS' | 'RU-OMS' | 'RU-ORE' | 'RU-ORL' | 'RU-PNZ' | 'RU-PSK' | 'RU-ROS' | 'RU-RYA' | 'RU-SAK' | 'RU-SAM' | 'RU-SAR' | 'RU-SMO' | 'RU-SVE' | 'RU-TAM' | 'RU-TOM' | 'RU-TUL' | 'RU-TVE' | 'RU-TYU' | 'RU-ULY' | 'RU-VLA' | 'RU-VGG' | 'RU-VLG' | 'RU-VOR' | 'RU-YAR' | 'RU-MOW' | 'RU-SPE' | 'RU-YEV' | 'RU-CHU' | 'RU-KHM' | 'RU-NEN' | 'RU-YAN' | 'BY-HM' | 'BY-MI' | 'BY-BR' | 'BY-HO' | 'BY-HR' | 'BY-MA' | 'BY-VI' | 'KZ-75' | 'KZ-71' | 'KZ-79' | 'KZ-10' | 'KZ-11' | 'KZ-15' | 'KZ-19' | 'KZ-23' | 'KZ-63' | 'KZ-31' | 'KZ-33' | 'KZ-35' | 'KZ-39' | 'KZ-43' | 'KZ-47' | 'KZ-55' | 'KZ-59' | 'KZ-61' | 'KZ-62' | 'KZ-27' | 'AD' | 'AE' | 'AF' | 'AG' | 'AI' | 'AL' | 'AM' | 'AO' | 'AQ' | 'AR' | 'AS' | 'AT' | 'AU' | 'AW' | 'AX' | 'AZ' | 'BA' | 'BB' | 'BD' | 'BE' | 'BF' | 'BG' | 'BH' | 'BI' | 'BJ' | 'BL' | 'BM' | 'BN' | 'BO' | 'BQ' | 'BR' | 'BS' | 'BT' | 'BV' | 'BW' | 'BY' | 'BZ' | 'CA' | 'CC' | 'CD' | 'CF' | 'CG' | 'CH' | 'CI' | 'CK' | 'CL' | 'CM' | 'CN' | 'CO' | 'CR' | 'CU' | 'CV' | 'CW' | 'CX' | 'CY' | 'CZ' | 'DE' | 'DJ' | 'DK' | 'DM' | 'DO' | 'DZ' | 'EC' | 'EE' | 'EG' | 'EH' | 'ER' | 'ES' | 'ET' | 'FI' | 'FJ' | 'FK' | 'FM' | 'FO' | 'FR' | 'GA' | 'GB' | 'GD' | 'GE' | 'GF' | 'GG' | 'GH' | 'GI' | 'GL' | 'GM' | 'GN' | 'GP' | 'GQ' | 'GR' | 'GS' | 'GT' | 'GU' | 'GW' | 'GY' | 'HK' | 'HM' | 'HN' | 'HR' | 'HT' | 'HU' | 'ID' | 'IE' | 'IL' | 'IM' | 'IN' | 'IO' | 'IQ' | 'IR' | 'IS' | 'IT' | 'JE' | 'JM' | 'JO' | 'JP' | 'KE' | 'KG' | 'KH' | 'KI' | 'KM' | 'KN' | 'KP' | 'KR' | 'KW' | 'KY' | 'KZ' | 'LA' | 'LB' | 'LC' | 'LI' | 'LK' | 'LR' | 'LS' | 'LT' | 'LU' | 'LV' | 'LY' | 'MA' | 'MC' | 'MD' | 'ME' | 'MF' | 'MG' | 'MH' | 'MK' | 'ML' | 'MM' | 'MN' | 'MO' | 'MP' | 'MQ' | 'MR' | 'MS' | 'MT' | 'MU' | 'MV' | 'MW' | 'MX' | 'MY' | 'MZ' | 'NA' | 'NC' | 'NE' | 'NF' | 'NG' | 'NI' | 'NL' | 'NO' | 'NP' | 'NR' | 'NU' | 'NZ' | 'OM' | 'PA' | 'PE' | 'PF' | 'PG' | 'PH' | 'PK' | 'PL' | 'PM' | 'PN' | 'PR' | 'PS' | 'PT' | 'PW' | 'PY' | 'QA' | 'RE' | 'RO' | 'RS' | 'RU' | 'RW' | 'SA' | 'SB' | 'SC' | 'SD' | 'SE' | 'SG' | 'SH' | 'SI' | 'SJ' | 'SK' | 'SL' | 'SM' | 'SN' | 'SO' | 'SR' | 'SS' | 'ST' | 'SV' | 'SX' | 'SY' | 'SZ' | 'TC' | 'TD' | 'TF' | 'TG' | 'TH' | 'TJ' | 'TK' | 'TL' | 'TM' | 'TN' | 'TO' | 'TR' | 'TT' | 'TV' | 'TW' | 'TZ' | 'UA' | 'UG' | 'UM' | 'US' | 'UY' | 'UZ' | 'VA' | 'VC' | 'VE' | 'VG' | 'VI' | 'VN' | 'VU' | 'WF' | 'WS' | 'YE' | 'YT' | 'ZA' | 'ZM' | 'ZW';
};

export type VisitorIn = unknown & {
    /**
     * Visitor: the value of the cookie _svc_a, a UUID
     */
    visitor_id?: string;
    /**
     * Id of the user on the site
     */
    user_id?: string;
    /**
     * Device id of a fingerprint service; counts only if that service is connected to the site
     */
    fingerprint_uuid?: string;
    gender?: 'male' | 'female';
    age_group?: '0-17' | '18-24' | '25-34' | '35-44' | '45-54' | '55-64' | '65+';
    geo?: Geo;
    /**
     * Ages in full years; an empty list means no children
     */
    children?: Array<number>;
    /**
     * For when the ages are not known; children takes precedence
     */
    has_children?: boolean;
    company?: Company;
    /**
     * Ids of topics or free texts in Russian or English, which are matched to topics; each grows stronger whenever it is sent
     */
    interests?: Array<string>;
    /**
     * Ids of purchase categories; replaced as a whole
     */
    purchase_categories?: Array<'electronics' | 'smartphones' | 'computers' | 'tablets' | 'computer-parts' | 'tv-video' | 'audio' | 'photo' | 'wearables' | 'consoles' | 'software' | 'smart-home' | 'appliances' | 'large-appliances' | 'kitchen-appliances' | 'home-care-appliances' | 'climate-appliances' | 'beauty-appliances' | 'clothing' | 'womens-clothing' | 'mens-clothing' | 'childrens-clothing' | 'underwear' | 'sportswear' | 'workwear' | 'shoes' | 'womens-shoes' | 'mens-shoes' | 'childrens-shoes' | 'accessories' | 'bags' | 'jewellery' | 'watches' | 'glasses' | 'beauty' | 'makeup' | 'skin-care' | 'hair-care' | 'perfume' | 'hygiene' | 'pharmacy' | 'medicines' | 'supplements' | 'medical-devices' | 'optics' | 'food' | 'groceries' | 'fresh-food' | 'frozen-food' | 'sweets' | 'soft-drinks' | 'tea-coffee' | 'healthy-food' | 'ready-meals' | 'alcohol' | 'tobacco' | 'household' | 'furniture' | 'kitchenware' | 'home-textiles' | 'lighting' | 'decor' | 'household-chemicals' | 'storage' | 'renovation' | 'building-materials' | 'tools' | 'plumbing' | 'electrical' | 'doors-windows' | 'finishing' | 'garden' | 'plants' | 'garden-tools' | 'garden-furniture' | 'outdoor-cooking' | 'flowers' | 'children' | 'baby-food' | 'diapers' | 'prams' | 'toys' | 'childrens-furniture' | 'school' | 'pets' | 'pet-food' | 'pet-care' | 'pet-medicines' | 'auto' | 'car-parts' | 'tyres' | 'car-care' | 'car-electronics' | 'cars' | 'motorcycles' | 'sport' | 'fitness-equipment' | 'bicycles' | 'winter-sports' | 'tourism' | 'fishing-hunting' | 'sports-nutrition' | 'books' | 'fiction' | 'nonfiction' | 'childrens-books' | 'textbooks' | 'e-books' | 'hobby' | 'crafts' | 'art-supplies' | 'musical-instruments' | 'collectibles' | 'board-games' | 'gifts' | 'gift-cards' | 'party' | 'office' | 'stationery' | 'office-equipment' | 'office-furniture' | 'travel' | 'flights' | 'rail-tickets' | 'hotels' | 'tours' | 'car-rental' | 'entertainment' | 'concerts' | 'theatre' | 'cinema' | 'museums' | 'sport-events' | 'media-subscriptions' | 'services' | 'courses' | 'medical-services' | 'beauty-services' | 'fitness-services' | 'home-services' | 'repair-services' | 'legal-services' | 'telecom' | 'delivery' | 'finance' | 'insurance' | 'loans' | 'mortgages' | 'cards-accounts' | 'investments' | 'property' | 'housing-purchase' | 'housing-rental' | 'commercial-property' | 'industrial' | 'machinery' | 'raw-materials' | 'packaging' | 'special-vehicles' | 'adult' | 'religious'>;
    price_segment?: 'economy' | 'middle' | 'premium';
    /**
     * Anything but personal data, up to 4 KB. Replaced as a whole; a param that is null is left out
     */
    params?: {
        [key: string]: unknown;
    };
};

export type VisitorAttributesRequest = {
    visitors: Array<VisitorIn>;
};

/**
 * Unknown values are null or empty
 */
export type Attributes = {
    gender: string | null;
    age_group: string | null;
    geo: {
        country: string | null;
        region: string | null;
        /**
         * Id, or the name of a city that the dictionary lacks
         */
        city: string | null;
    };
    /**
     * Current ages, up to 17; null when they are not known
     */
    children: Array<number> | null;
    has_children: boolean | null;
    company: {
        type: string | null;
        industry: string | null;
        region: string | null;
    };
    /**
     * The strongest first
     */
    interests: Array<{
        /**
         * Id of a topic, or the text that was sent when no topic matches it
         */
        interest: string;
        /**
         * How often it was sent
         */
        strength: number;
        source: 'user' | 'site' | 'network';
    }>;
    purchase_categories: Array<string>;
    price_segment: string | null;
    params: {
        [key: string]: unknown;
    };
    /**
     * Where each known value comes from: gender, age_group, geo, children, company_type, industry, company_region, price_segment. user takes precedence over site, and site over network
     */
    sources: {
        [key: string]: 'user' | 'site' | 'network';
    };
};

export type VisitorResult = {
    /**
     * Position of the element in the batch, from 0
     */
    index: number;
    ok: boolean;
    /**
     * For a user, the visitor with the latest visit; null when no visitor is linked
     */
    visitor_id: string | null;
    attributes: Attributes | null;
    error: {
        code: 'unknown_visitor' | 'pii_not_allowed';
        message: string;
    } | null;
};

export type VisitorAttributesResponse = {
    results: Array<VisitorResult>;
};

export type VisitorOut = {
    visitor_id: string;
    attributes: Attributes;
    /**
     * Null while the first hits are being ingested
     */
    first_visit_at: string | null;
    /**
     * Start of the last visit
     */
    last_visit_at: string | null;
    visits: number;
};

export type Network = {
    /**
     * Whether the site takes part
     */
    enabled: boolean;
    /**
     * Whether sensitive topics are exchanged with sites that exchange them too
     */
    sensitive_topics: boolean;
    /**
     * How many other sites this one shares with
     */
    sites: number;
};

/**
 * A field that is sent replaces its earlier value; other fields stay. Interests are added, and grow stronger when they are sent again
 */
export type UserIn = {
    /**
     * Id of the user on the site
     */
    user_id: string;
    /**
     * Stored only as a keyed hash, and never returned
     */
    email?: string;
    /**
     * Stored only as a keyed hash, and never returned
     */
    phone?: string;
    gender?: 'male' | 'female';
    /**
     * In full years; it grows as time passes
     */
    age?: number;
    /**
     * Name in Russian or English
     */
    city?: string;
    /**
     * Ages in full years; an empty list means no children
     */
    children?: Array<number>;
    /**
     * Ids of topics or free texts in Russian or English, which are matched to topics; each grows stronger whenever it is sent
     */
    interests?: Array<string>;
    /**
     * Anything but personal data, up to 4 KB. Replaced as a whole; a param that is null is left out
     */
    params?: {
        [key: string]: unknown;
    };
};

export type UsersRequest = {
    users: Array<UserIn>;
};

export type UserResult = {
    /**
     * Position of the record in the batch, from 0
     */
    index: number;
    ok: boolean;
    error: {
        code: 'pii_not_allowed';
        message: string;
    } | null;
};

export type UsersResponse = {
    results: Array<UserResult>;
};

export type HealthResponse = {
    status: 'ok' | 'degraded';
};

export type ErrorBody = {
    error: {
        code: 'invalid_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'request_timeout' | 'payload_too_large' | 'validation_failed' | 'rate_limited' | 'internal' | 'unavailable';
        message: string;
        details?: Array<{
            field: string;
            code: string;
        }>;
    };
};

export type PostConversionsData = {
    body: ConversionsRequest;
    path?: never;
    query?: never;
    url: '/conversions';
};

export type PostConversionsErrors = {
    /**
     * The body is not JSON, its content type is not supported, or a parameter is wrong
     */
    400: ErrorBody;
    /**
     * No key, a wrong key or a revoked key
     */
    401: ErrorBody;
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * The body stopped arriving; the request may be sent again
     */
    408: ErrorBody;
    /**
     * The body is larger than 1 MB
     */
    413: ErrorBody;
    /**
     * Fields failed validation; details say which
     */
    422: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
    /**
     * The service is temporarily unavailable
     */
    503: ErrorBody;
};

export type PostConversionsError = PostConversionsErrors[keyof PostConversionsErrors];

export type PostConversionsResponses = {
    /**
     * How many records were accepted, and which were rejected
     */
    202: ConversionsResponse;
};

export type PostConversionsResponse = PostConversionsResponses[keyof PostConversionsResponses];

export type PostOrdersData = {
    body: OrdersRequest;
    path?: never;
    query?: never;
    url: '/orders';
};

export type PostOrdersErrors = {
    /**
     * The body is not JSON, its content type is not supported, or a parameter is wrong
     */
    400: ErrorBody;
    /**
     * No key, a wrong key or a revoked key
     */
    401: ErrorBody;
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * The body stopped arriving; the request may be sent again
     */
    408: ErrorBody;
    /**
     * The body is larger than 1 MB
     */
    413: ErrorBody;
    /**
     * Fields failed validation; details say which
     */
    422: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
    /**
     * The service is temporarily unavailable
     */
    503: ErrorBody;
};

export type PostOrdersError = PostOrdersErrors[keyof PostOrdersErrors];

export type PostOrdersResponses = {
    /**
     * How many records were accepted, and which were rejected
     */
    202: OrdersResponse;
};

export type PostOrdersResponse = PostOrdersResponses[keyof PostOrdersResponses];

export type PostReportsData = {
    body: ReportRequest;
    path?: never;
    query?: never;
    url: '/reports';
};

export type PostReportsErrors = {
    /**
     * The body is not JSON, its content type is not supported, or a parameter is wrong
     */
    400: ErrorBody;
    /**
     * No key, a wrong key or a revoked key
     */
    401: ErrorBody;
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * The body stopped arriving; the request may be sent again
     */
    408: ErrorBody;
    /**
     * The body is larger than 1 MB
     */
    413: ErrorBody;
    /**
     * Fields failed validation; details say which
     */
    422: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
    /**
     * The service is temporarily unavailable
     */
    503: ErrorBody;
};

export type PostReportsError = PostReportsErrors[keyof PostReportsErrors];

export type PostReportsResponses = {
    /**
     * The report
     */
    200: ReportResponse;
};

export type PostReportsResponse = PostReportsResponses[keyof PostReportsResponses];

export type PostVisitorAttributesData = {
    body: VisitorAttributesRequest;
    path?: never;
    query?: never;
    url: '/visitors/attributes';
};

export type PostVisitorAttributesErrors = {
    /**
     * The body is not JSON, its content type is not supported, or a parameter is wrong
     */
    400: ErrorBody;
    /**
     * No key, a wrong key or a revoked key
     */
    401: ErrorBody;
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * The body stopped arriving; the request may be sent again
     */
    408: ErrorBody;
    /**
     * The body is larger than 1 MB
     */
    413: ErrorBody;
    /**
     * Fields failed validation; details say which
     */
    422: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
    /**
     * The service is temporarily unavailable
     */
    503: ErrorBody;
};

export type PostVisitorAttributesError = PostVisitorAttributesErrors[keyof PostVisitorAttributesErrors];

export type PostVisitorAttributesResponses = {
    /**
     * Results in the order of the request
     */
    200: VisitorAttributesResponse;
};

export type PostVisitorAttributesResponse = PostVisitorAttributesResponses[keyof PostVisitorAttributesResponses];

export type GetVisitorData = {
    body?: never;
    path: {
        /**
         * Visitor: the value of the cookie _svc_a, a UUID
         */
        visitor_id: string;
    };
    query?: never;
    url: '/visitors/{visitor_id}';
};

export type GetVisitorErrors = {
    /**
     * The body is not JSON, its content type is not supported, or a parameter is wrong
     */
    400: ErrorBody;
    /**
     * No key, a wrong key or a revoked key
     */
    401: ErrorBody;
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * No such method or object
     */
    404: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
    /**
     * The service is temporarily unavailable
     */
    503: ErrorBody;
};

export type GetVisitorError = GetVisitorErrors[keyof GetVisitorErrors];

export type GetVisitorResponses = {
    /**
     * The visitor
     */
    200: VisitorOut;
};

export type GetVisitorResponse = GetVisitorResponses[keyof GetVisitorResponses];

export type GetNetworkData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/network';
};

export type GetNetworkErrors = {
    /**
     * The body is not JSON, its content type is not supported, or a parameter is wrong
     */
    400: ErrorBody;
    /**
     * No key, a wrong key or a revoked key
     */
    401: ErrorBody;
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
    /**
     * The service is temporarily unavailable
     */
    503: ErrorBody;
};

export type GetNetworkError = GetNetworkErrors[keyof GetNetworkErrors];

export type GetNetworkResponses = {
    /**
     * Settings
     */
    200: Network;
};

export type GetNetworkResponse = GetNetworkResponses[keyof GetNetworkResponses];

export type PostUsersData = {
    body: UsersRequest;
    path?: never;
    query?: never;
    url: '/users';
};

export type PostUsersErrors = {
    /**
     * The body is not JSON, its content type is not supported, or a parameter is wrong
     */
    400: ErrorBody;
    /**
     * No key, a wrong key or a revoked key
     */
    401: ErrorBody;
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * The body stopped arriving; the request may be sent again
     */
    408: ErrorBody;
    /**
     * The body is larger than 1 MB
     */
    413: ErrorBody;
    /**
     * Fields failed validation; details say which
     */
    422: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
    /**
     * The service is temporarily unavailable
     */
    503: ErrorBody;
};

export type PostUsersError = PostUsersErrors[keyof PostUsersErrors];

export type PostUsersResponses = {
    /**
     * Results in the order of the request
     */
    202: UsersResponse;
};

export type PostUsersResponse = PostUsersResponses[keyof PostUsersResponses];

export type GetHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health';
};

export type GetHealthErrors = {
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
};

export type GetHealthError = GetHealthErrors[keyof GetHealthErrors];

export type GetHealthResponses = {
    /**
     * State
     */
    200: HealthResponse;
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

export type GetDescriptionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/openapi.json';
};

export type GetDescriptionErrors = {
    /**
     * The site is blocked or deleted, its owner is blocked, or the request came without https
     */
    403: ErrorBody;
    /**
     * A rate limit is exceeded
     */
    429: ErrorBody;
    /**
     * Service error
     */
    500: ErrorBody;
};

export type GetDescriptionError = GetDescriptionErrors[keyof GetDescriptionErrors];

export type GetDescriptionResponses = {
    /**
     * OpenAPI document
     */
    200: {
        [key: string]: unknown;
    };
};

export type GetDescriptionResponse = GetDescriptionResponses[keyof GetDescriptionResponses];
