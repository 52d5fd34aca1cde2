/**
 * The format of the lists. They are public facts (who serves which host), compiled from the services' own documentation
 * and from real traffic. A correction is one line here and one case in the test.
 */
import type { SourceType } from '../../../../domain/sites/trafficSource.ts';

export interface Listed {
  /** Name that reports show. */
  name: string;
  /**
   * Host names, separated by spaces: `vk.com` is that host and all below it; `=ya.ru` is that host and its www only;
   * `google.*` stands for every country (google.ru, google.co.uk, google.com.tr) and for .com. When two match, the one
   * with more labels counts.
   */
  hosts?: string;
  /** Package names of Android apps, which appear in `android-app://` referrers. */
  apps?: string;
  /** Values of utm_source that mean this entry besides its name, in lower case. */
  aliases?: string;
  /** Query parameters in which a search engine sends the phrase. */
  phrase?: string;
}

export type ListedType = Extract<
  SourceType,
  'organic' | 'social' | 'messenger' | 'ai_assistant' | 'email' | 'recommendation' | 'saved' | 'ad'
>;
