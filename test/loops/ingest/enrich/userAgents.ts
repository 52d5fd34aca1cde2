import type { ClientFacts } from '../../../../domain/reports/lakeRows.ts';

type Row = [
  userAgent: string,
  facts: [
    type: string,
    brand: string | null,
    model: string | null,
    os: string | null,
    osVersion: string | null,
    browser: string | null,
    version: string | null,
    engine: string | null,
  ],
];

/** User agents of browsers in use in November 2026: most hide the device and freeze the system's version. */
const ROWS: readonly Row[] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ['desktop', null, null, 'Windows', '10', 'Chrome', '142.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    ['desktop', null, null, 'Windows', '10', 'Microsoft Edge', '142.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    ['desktop', null, null, 'Windows', '10', 'Firefox', '145.0', 'Gecko'],
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 YaBrowser/25.10.0.0 Safari/537.36',
    ['desktop', null, null, 'Windows', '10', 'Yandex Browser', '25.10.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0',
    ['desktop', null, null, 'Windows', '10', 'Opera', '125.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.7339.0 Safari/537.36 Vivaldi/7.6.3797.63',
    ['desktop', null, null, 'Windows', '10', 'Vivaldi', '7.6.3797.63', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36',
    ['desktop', null, null, 'Windows', '7', 'Chrome', '109.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    ['desktop', null, null, 'Windows', '10', 'Internet Explorer', '11.0', 'Trident'],
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    ['desktop', 'Apple', null, 'macOS', '10.15.7', 'Safari', '26.1', 'WebKit'],
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ['desktop', 'Apple', null, 'macOS', '10.15.7', 'Chrome', '142.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
    ['desktop', 'Apple', null, 'macOS', '10.15', 'Firefox', '145.0', 'Gecko'],
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ['desktop', null, null, 'Linux', null, 'Chrome', '142.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    ['desktop', null, null, 'Ubuntu', null, 'Firefox', '145.0', 'Gecko'],
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ['desktop', null, null, 'Chrome OS', '14541.0.0', 'Chrome', '142.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    ['mobile', 'Apple', 'iPhone', 'iOS', '18.6', 'Mobile Safari', '26.1', 'WebKit'],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    ['mobile', 'Apple', 'iPhone', 'iOS', '17.7', 'Mobile Safari', '17.7', 'WebKit'],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1',
    ['mobile', 'Apple', 'iPhone', 'iOS', '18.6', 'Chrome Mobile iOS', '142.0.7444.77', 'WebKit'],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/145.0 Mobile/15E148 Safari/605.1.15',
    ['mobile', 'Apple', 'iPhone', 'iOS', '18.6', 'Firefox Mobile iOS', '145.0', 'WebKit'],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 YaBrowser/25.9.2.331.10 SA/3 Mobile/15E148 Safari/604.1',
    ['mobile', 'Apple', 'iPhone', 'iOS', '18.5', 'Yandex Browser', '25.9.2.331.10', 'WebKit'],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 405.0.0.31.72 (iPhone14,5; iOS 18_6; ru_RU; ru; scale=3.00; 1170x2532; 820345172)',
    ['mobile', 'Apple', 'iPhone 13', 'iOS', '18.6', 'Instagram', '405.0.0.31.72', null],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22G86 [FBAN/FBIOS;FBAV/535.0.0.56.103;FBBV/820345172;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.6;FBSS/3;FBCR/;FBID/phone;FBLC/ru_RU;FBOP/80]',
    ['mobile', 'Apple', 'iPhone 14 Pro', 'iOS', '18.6', 'Facebook', '535.0.0.56.103', null],
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    ['tablet', 'Apple', 'iPad', 'iPadOS', '17.7', 'Mobile Safari', '17.7', 'WebKit'],
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1',
    ['tablet', 'Apple', 'iPad', 'iPadOS', '18.6', 'Chrome Mobile iOS', '142.0.7444.77', 'WebKit'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    ['mobile', null, null, 'Android', '10', 'Chrome Mobile', '142.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ['tablet', null, null, 'Android', '10', 'Chrome', '142.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    ['mobile', null, null, 'Android', '10', 'Samsung Browser', '28.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.97 Mobile Safari/537.36',
    ['mobile', 'Samsung', 'Galaxy S23 Ultra', 'Android', '14', 'Chrome Mobile', '141.0.7390.97', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; arm_64; Android 14; 2201117TY) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.7204.977 YaBrowser/25.8.0.977.00 SA/3 Mobile Safari/537.36',
    ['mobile', 'Xiaomi', 'Redmi Note 11 4G', 'Android', '14', 'Yandex Browser', '25.8.0.977.00', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 13; Redmi Note 9 Pro Build/TQ3A.230901.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.7390.97 Mobile Safari/537.36',
    ['mobile', 'Xiaomi', 'Redmi Note 9 Pro', 'Android', '13', 'Chrome Webview', '141.0.7390.97', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 13; ru-ru; 22101316G Build/TP1A.220624.014) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.25.0-gn',
    ['mobile', 'Xiaomi', 'Redmi Note 12 Pro', 'Android', '13', 'Mi Browser', '14.25.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 12; ANA-NX9; HMSCore 6.14.0.302) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.5735.196 HuaweiBrowser/15.0.4.312 Mobile Safari/537.36',
    ['mobile', 'Huawei', 'P40 Dual', 'Android', '12', 'Huawei Browser Mobile', '15.0.4.312', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Android 14; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0',
    ['mobile', null, null, 'Android', '14', 'Firefox Mobile', '145.0', 'Gecko'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 11; SM-T500) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.7339.51 Safari/537.36',
    ['tablet', 'Samsung', 'Galaxy Tab A7 10.4" (2020) WiFi', 'Android', '11', 'Chrome', '140.0.7339.51', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.7444.48 Mobile Safari/537.36 OPR/92.0.0.0',
    ['mobile', 'Google', 'Pixel 7', 'Android', '13', 'Opera Mobile', '92.0.0.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-A546B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.7444.48 Mobile Safari/537.36 Telegram-Android/12.1.1 (Samsung SM-A546B; Android 14; SDK 34; AVERAGE)',
    ['mobile', 'Samsung', 'Galaxy A54 5G', 'Android', '14', 'Chrome Webview', '142.0.7444.48', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 12; SAMSUNG SM-A127F) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36',
    ['mobile', 'Samsung', 'Galaxy A12', 'Android', '12', 'Samsung Browser', '24.0', 'Blink'],
  ],
  [
    'Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/7.0 TV Safari/537.36',
    ['tv', null, null, 'Tizen', '7.0', 'Safari', null, 'WebKit'],
  ],
  [
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.5359.211 Safari/537.36 WebAppManager',
    ['tv', 'LG', null, 'webOS', '24', 'Chrome', '108.0.5359.211', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 11; BRAVIA 4K VH2 Build/RTT2.230728.001) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.230 Safari/537.36',
    ['tv', 'Sony', 'Bravia 4K VH2', 'Android TV', '11', 'Chrome', '120.0.6099.230', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Mobile; Nokia_2720_Flip; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.2',
    ['mobile', 'Nokia', '2720 Flip', 'KaiOS', '2.5.2', 'Firefox Mobile', '48.0', 'Gecko'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 9; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/138.3.1 like Chrome/138.0.7204.157 Safari/537.36',
    ['tablet', 'Amazon', 'Fire HD 10 (2021)', 'Fire OS', '7', 'Mobile Silk', '138.3.1', 'Blink'],
  ],
  [
    'Mozilla/5.0 (Linux; Android 9; CUBOT_P40) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    ['mobile', 'CUBOT', null, 'Android', '9', 'Chrome Mobile', '120.0.0.0', 'Blink'],
  ],
];

export const BROWSERS: readonly { userAgent: string; facts: ClientFacts }[] = ROWS.map(
  ([userAgent, [type, brand, model, os, osVersion, browser, version, engine]]) => ({
    userAgent,
    facts: {
      device_type: type,
      device_brand: brand,
      device_model: model,
      os,
      os_version: osVersion,
      browser,
      browser_version: version,
      browser_engine: engine,
    },
  }),
);

export const CONSOLES: readonly (readonly [userAgent: string, brand: string, model: string])[] = [
  [
    'Mozilla/5.0 (PlayStation; PlayStation 5/9.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Safari/605.1.15',
    'Sony',
    'PlayStation 5',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0.0.0 Safari/537.36 Edge/44.18363.8131',
    'Microsoft',
    'Xbox One',
  ],
  [
    'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/609.4 (KHTML, like Gecko) NF/6.0.3.15.4 NintendoBrowser/5.1.0.22474',
    'Nintendo',
    'Switch',
  ],
];

/** Crawlers, link previewers, libraries and automated browsers. */
export const ROBOTS: readonly string[] = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'TelegramBot (like TwitterBot)',
  'curl/8.5.0',
  'python-requests/2.32.3',
  'Go-http-client/2.0',
];
