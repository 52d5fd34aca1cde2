/** Parameters that a service adds to the address when its link is clicked. */

export interface ClickId {
  type: 'ad' | 'social' | 'organic' | 'email';
  /** For type ad, the advertising system; for the other types, the service that the visit came from. */
  name: string;
}

/** Click ids by parameter name in lower case; when an address has several, the earlier in this list counts. */
export const CLICK_IDS: ReadonlyMap<string, ClickId> = new Map<string, ClickId>([
  ['yclid', { type: 'ad', name: 'Yandex Direct' }],
  ['gclid', { type: 'ad', name: 'Google Ads' }],
  ['gbraid', { type: 'ad', name: 'Google Ads' }],
  ['wbraid', { type: 'ad', name: 'Google Ads' }],
  ['dclid', { type: 'ad', name: 'Google Ads' }],
  ['rb_clickid', { type: 'ad', name: 'VK Ads' }],
  ['msclkid', { type: 'ad', name: 'Microsoft Ads' }],
  ['ttclid', { type: 'ad', name: 'TikTok Ads' }],
  ['twclid', { type: 'ad', name: 'X Ads' }],
  ['li_fat_id', { type: 'ad', name: 'LinkedIn Ads' }],
  ['rdt_cid', { type: 'ad', name: 'Reddit Ads' }],
  ['epik', { type: 'ad', name: 'Pinterest Ads' }],
  ['sccid', { type: 'ad', name: 'Snapchat Ads' }],
  ['qclid', { type: 'ad', name: 'Quora Ads' }],
  ['tblci', { type: 'ad', name: 'Taboola' }],
  ['obclid', { type: 'ad', name: 'Outbrain' }],
  ['dicbo', { type: 'ad', name: 'Outbrain' }],
  ['sznclid', { type: 'ad', name: 'Seznam Sklik' }],
  ['ymclid', { type: 'ad', name: 'Yandex Market' }],
  ['admitad_uid', { type: 'ad', name: 'Admitad' }],
  ['irclickid', { type: 'ad', name: 'Impact' }],
  ['cjevent', { type: 'ad', name: 'CJ' }],
  ['awc', { type: 'ad', name: 'Awin' }],
  // Meta adds it to every outgoing link, paid or not: without other marks it only says where the link was.
  ['fbclid', { type: 'social', name: 'Facebook' }],
  ['igsh', { type: 'social', name: 'Instagram' }],
  ['igshid', { type: 'social', name: 'Instagram' }],
  // Yandex adds it to results that are not advertisements; Google (Merchant) adds its own to free listings.
  ['ysclid', { type: 'organic', name: 'Yandex' }],
  ['srsltid', { type: 'organic', name: 'Google' }],
  ['mc_eid', { type: 'email', name: 'Mailchimp' }],
  ['_hsmi', { type: 'email', name: 'HubSpot' }],
]);
