/**
 * The visitors: device, network, language. Their addresses belong to networks that have long been registered in one
 * country.
 */
import type { Chance } from './chance.ts';

type Weighted<T> = readonly (readonly [number, T])[];

export interface Device {
  userAgent: string;
  screen: string;
  window: string;
}

/** Their browsers are those of November 2025. */
const DEVICES: Weighted<Device> = [
  [
    16,
    {
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      screen: '1920x1080',
      window: '1903x953',
    },
  ],
  [
    9,
    {
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 YaBrowser/25.10.0.0 Safari/537.36',
      screen: '1366x768',
      window: '1351x615',
    },
  ],
  [
    4,
    {
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
      screen: '1536x864',
      window: '1521x738',
    },
  ],
  [
    3,
    {
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
      screen: '2560x1440',
      window: '2543x1297',
    },
  ],
  [
    2,
    {
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0',
      screen: '1920x1080',
      window: '1880x937',
    },
  ],
  [
    4,
    {
      userAgent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
      screen: '1440x900',
      window: '1440x789',
    },
  ],
  [
    3,
    {
      userAgent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      screen: '1728x1117',
      window: '1728x992',
    },
  ],
  [
    1,
    {
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      screen: '1920x1080',
      window: '1920x969',
    },
  ],
  [
    14,
    {
      userAgent:
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
      screen: '412x915',
      window: '412x785',
    },
  ],
  [
    7,
    {
      userAgent:
        'Mozilla/5.0 (Linux; arm_64; Android 14; 2201117TY) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.7204.977 YaBrowser/25.8.0.977.00 SA/3 Mobile Safari/537.36',
      screen: '393x873',
      window: '393x716',
    },
  ],
  [
    5,
    {
      userAgent:
        'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.97 Mobile Safari/537.36',
      screen: '384x824',
      window: '384x694',
    },
  ],
  [
    3,
    {
      userAgent:
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
      screen: '360x780',
      window: '360x666',
    },
  ],
  [
    3,
    {
      userAgent:
        'Mozilla/5.0 (Linux; Android 13; Redmi Note 9 Pro Build/TQ3A.230901.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.7390.97 Mobile Safari/537.36',
      screen: '393x873',
      window: '393x790',
    },
  ],
  [
    13,
    {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
      screen: '393x852',
      window: '393x659',
    },
  ],
  [
    4,
    {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
      screen: '375x812',
      window: '375x635',
    },
  ],
  [
    2,
    {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1',
      screen: '390x844',
      window: '390x664',
    },
  ],
  [
    3,
    {
      userAgent:
        'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
      screen: '820x1180',
      window: '820x1106',
    },
  ],
  [
    2,
    {
      userAgent:
        'Mozilla/5.0 (Linux; Android 11; SM-T500) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.7339.51 Safari/537.36',
      screen: '800x1334',
      window: '800x1222',
    },
  ],
  [
    1,
    {
      userAgent:
        'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.5359.211 Safari/537.36 WebAppManager',
      screen: '1920x1080',
      window: '1920x1080',
    },
  ],
];

export interface Network {
  country: string;
  /** First two parts of its IPv4 addresses. */
  prefix: string;
  language: string;
  timezone: string;
}

export const NETWORKS: Weighted<Network> = [
  [30, { country: 'RU', prefix: '95.24', language: 'ru-RU', timezone: 'Europe/Moscow' }],
  [14, { country: 'RU', prefix: '188.162', language: 'ru-RU', timezone: 'Europe/Moscow' }],
  [10, { country: 'RU', prefix: '46.48', language: 'ru-RU', timezone: 'Asia/Yekaterinburg' }],
  [8, { country: 'RU', prefix: '176.59', language: 'ru', timezone: 'Asia/Novosibirsk' }],
  [6, { country: 'BY', prefix: '178.120', language: 'ru-BY', timezone: 'Europe/Minsk' }],
  [6, { country: 'KZ', prefix: '2.132', language: 'ru-KZ', timezone: 'Asia/Almaty' }],
  [4, { country: 'DE', prefix: '87.128', language: 'de-DE', timezone: 'Europe/Berlin' }],
  [3, { country: 'US', prefix: '73.1', language: 'en-US', timezone: 'America/New_York' }],
  [2, { country: 'GB', prefix: '86.128', language: 'en-GB', timezone: 'Europe/London' }],
  [1, { country: 'TR', prefix: '88.224', language: 'tr-TR', timezone: 'Europe/Istanbul' }],
];

export interface Person {
  visitorId: string;
  device: Device;
  network: Network;
  ip: string;
  /** False for senders without scripts, whose device is unknown. */
  runsScripts: boolean;
  /** The site's own id of the person, after a login. */
  userId: string | null;
  /** Inclination to buy, around 1. */
  interest: number;
}

export function createPerson(chance: Chance): Person {
  const network = chance.weighted(NETWORKS);
  return {
    visitorId: chance.uuid(),
    device: chance.weighted(DEVICES),
    network,
    ip: `${network.prefix}.${chance.between(1, 254)}.${chance.between(1, 254)}`,
    runsScripts: true,
    userId: null,
    interest: 0.4 + 1.2 * chance.next(),
  };
}
