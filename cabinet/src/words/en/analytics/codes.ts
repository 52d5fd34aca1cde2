/** English names of report dimensions and of their codes. */

/** Dimensions of reports. */
export const dimensions = {
  source_type: 'Source type',
  source_name: 'Source',
  referrer_domain: 'Referrer',
  utm_campaign: 'Campaign',
  page_path: 'Page',
  entry_path: 'Entry page',
  exit_path: 'Exit page',
  country: 'Country',
  region: 'Region',
  city: 'City',
  device_type: 'Device',
  browser: 'Browser',
  os: 'System',
  goal: 'Goal',
};

/** Codes in reports. */
export const codes = {
  unknown: 'Unknown',
  source_type: {
    direct: 'Direct',
    internal: 'Internal',
    organic: 'Search',
    ad: 'Advertising',
    referral: 'Link from another site',
    social: 'Social network',
    messenger: 'Messenger',
    email: 'E-mail',
    ai_assistant: 'AI assistant',
    recommendation: 'Recommendation',
    saved: 'Saved page',
    unknown: 'Unknown',
  },
  device_type: {
    desktop: 'Computer',
    mobile: 'Phone',
    tablet: 'Tablet',
    tv: 'TV',
    console: 'Console',
    other: 'Other',
  },
};
