/**
 * The form of the lists. They are public facts (who serves which host), put together from the services' own
 * documentation and from what arrives; a correction is a line and a case in its test.
 */
import type { SourceType } from '../../../domain/trafficSource.ts';

export interface Listed {
  /** As reports show it. */
  name: string;
  /**
   * Host names, separated by spaces: `vk.com` is that host and all below it; `=ya.ru` that host and its www
   * only; `google.*` stands for every country (google.ru, google.co.uk, google.com.tr) and for .com.
   * Of two that match, the one with more labels counts.
   */
  hosts?: string;
  /** Packages of Android apps, which put them into `android-app://` referrers. */
  apps?: string;
  /** Other words than the name that utm_source has for it, in lower case. */
  aliases?: string;
  /** Query parameters with the phrase, of search engines. */
  phrase?: string;
}

export type ListedType = Extract<
  SourceType,
  'organic' | 'social' | 'messenger' | 'ai_assistant' | 'email' | 'recommendation' | 'saved' | 'ad'
>;
