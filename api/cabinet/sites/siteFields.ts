/** Sites in requests and responses of the cabinet. */
import Type from 'typebox';
import type { SiteChange, StoredSite } from '../../../db/sites/sites.ts';
import { MAX_HOSTS, normaliseHost } from '../../../domain/sites/hosts.ts';
import { DEFAULT_ROBOT_RULES } from '../../../domain/sites/robotRules.ts';
import { isTimeZone } from '../../../domain/timeZones.ts';
import {
  dateTime,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
  type TSchema,
} from '../../../domain/schemas/schema.ts';
import type { FieldFault } from '../../http/errors.ts';
import { title } from '../projects/projects.ts';
import { type SiteQuotas, DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import { type SiteLimits, DEFAULT_SITE_LIMITS } from '../../../domain/sites/siteLimits.ts';

const MAX_RATES = 200;
const MAX_RATE = 1e12;

const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const hosts = Type.Array(text(255, { minLength: 1 }), {
  minItems: 1,
  maxItems: MAX_HOSTS,
  description:
    'Имена, со страниц которых принимаются хиты: example.com, *.example.com (всё, что ниже), * (любое). Без схемы и порта; кириллица хранится в Punycode',
});
const ignoredReferrers = Type.Array(text(255, { minLength: 1 }), {
  maxItems: MAX_HOSTS,
  description:
    'Имена, возврат с которых продолжает визит (оплата, вход): example.com — оно само и всё ниже, *.example.com — только ниже. Известные платёжные системы, банки и страницы входа учтены и без этого',
});
const timezone = text(64, { description: 'Имя часового пояса IANA; в нём считаются отчёты' });
const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'Код ISO 4217; в ней деньги отчётов' });
const state = oneOf(['active', 'blocked', 'deleted']);
const ownerState = oneOf(['active', 'blocked']);
const rates = Type.Unsafe<Record<string, number>>({
  type: 'object',
  maxProperties: MAX_RATES,
  propertyNames: { pattern: '^[A-Z]{3}$' },
  additionalProperties: { type: 'number', exclusiveMinimum: 0, maximum: MAX_RATE },
  description: 'Сколько единиц валюты сайта в одной единице валюты',
});

const quotas = {
  hits_per_day: integer(0, 1_000_000_000),
  recordings_per_day: integer(0, 1_000_000),
  recording_mb_per_day: integer(0, 10_000_000),
  recording_mb_per_address: integer(0, 10_000_000),
  retention_months: integer(1, 120),
  recording_days: integer(1, 90),
  favourites: integer(0, 10_000),
  goals: integer(0, 10_000),
} satisfies Record<keyof SiteQuotas, TSchema>;
const limits = {
  requests_per_second: integer(1, 100_000),
  output_per_second: integer(1, 100_000),
  reports_simultaneous: integer(1, 1_000),
  reports_per_minute: integer(1, 100_000),
} satisfies Record<keyof SiteLimits, Type.TSchema>;
const robots = {
  user_agents: Type.Boolean(),
  frequency: Type.Boolean(),
  no_javascript: Type.Boolean(),
  data_centres: Type.Boolean(),
};
const network = { enabled: Type.Boolean(), sensitive_topics: Type.Boolean() };

export const Site = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    hosts: Type.Array(Type.String()),
    ignored_referrers: Type.Array(Type.String()),
    timezone: Type.String(),
    currency,
    state,
    owner_state: ownerState,
    rates,
    quotas: Type.Object(quotas),
    limits: Type.Object(limits),
    robots: Type.Object(robots),
    fingerprints: Type.Boolean(),
    recordings: Type.Boolean(),
    mask_texts: Type.Boolean(),
    honour_gpc: Type.Boolean(),
    has_identity_secret: Type.Boolean(),
    require_user_hash: Type.Boolean(),
    network: Type.Object(network),
    created_at: dateTime(),
  },
  { title: 'Site' },
);

export const SiteCreate = strictObject({ title, hosts, timezone, currency }, { title: 'SiteCreate' });

const optional = <P extends Record<string, TSchema>>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Partial(strictObject(properties), { additionalProperties: false, ...options });
const resettable = <K extends string>(properties: Record<K, TSchema>) =>
  strictObject(
    Object.fromEntries(
      Object.entries<TSchema>(properties).map(([name, form]) => [name, Type.Optional(nullable(form))]),
    ),
    { description: 'null возвращает значение по умолчанию' },
  ) as unknown as ReturnType<typeof Type.Unsafe<{ [N in K]?: number | null }>>;

export const SitePatch = optional(
  {
    title,
    hosts,
    ignored_referrers: ignoredReferrers,
    timezone,
    currency,
    state,
    owner_state: ownerState,
    rates,
    quotas: resettable(quotas),
    limits: resettable(limits),
    robots: optional(robots, { description: 'Какие признаки делают посетителя роботом' }),
    fingerprints: Type.Boolean({ description: 'Учитывать ли fingerprint_uuid' }),
    recordings: Type.Boolean({ description: 'Записывать ли сессии' }),
    mask_texts: Type.Boolean({
      description: 'Скрывать в записях весь текст страниц. Введённое и похожее на личные данные скрыто всегда',
    }),
    honour_gpc: Type.Boolean({
      description:
        'Не учитывать посетителей, чей браузер передаёт Global Privacy Control (по умолчанию да). Код счётчика меняется вместе с настройкой: GET /sites/{id}/tag',
    }),
    identity_secret: nullable(
      text(255, {
        minLength: 16,
        description:
          'Секрет, которым сервер сайта подписывает user_id: user_hash = HMAC-SHA256(identity_secret, user_id), строчные шестнадцатеричные цифры. Не возвращается; null — секрета нет, и связи посетителей с пользователями не проверяются',
      }),
    ),
    require_user_hash: Type.Boolean({
      description: 'Не связывать посетителей с пользователями без верного user_hash. Действует, когда секрет задан',
    }),
    network: optional(network, {
      description: 'Обмен данными о посетителях с другими сайтами установки; чувствительные темы отдельно',
    }),
  },
  { title: 'SitePatch' },
);

export const siteExample = {
  id: 'b2c3d4e5f6a1',
  title: 'Магазин',
  hosts: ['shop.example.com', '*.shop.example.com'],
  ignored_referrers: ['pay.example.com'],
  timezone: 'Europe/Moscow',
  currency: 'RUB',
  state: 'active',
  owner_state: 'active',
  rates: { USD: 81.5 },
  quotas: DEFAULT_QUOTAS,
  limits: DEFAULT_SITE_LIMITS,
  robots: DEFAULT_ROBOT_RULES,
  fingerprints: false,
  recordings: false,
  mask_texts: false,
  honour_gpc: true,
  has_identity_secret: false,
  require_user_hash: false,
  network: { enabled: false, sensitive_topics: false },
  created_at: '2026-11-20T09:00:00.000Z',
};

/** Checks what the schema cannot: valid hosts, and a valid time zone. */
export function siteFaults(value: unknown): FieldFault[] {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const faults = [
    ...hostFaults('hosts', given['hosts']),
    ...hostFaults('ignored_referrers', given['ignored_referrers'], (host) => host !== '*'),
  ];
  if (typeof given['timezone'] === 'string' && !isTimeZone(given['timezone']))
    faults.push({ field: 'timezone', code: 'invalid_value' });
  return faults;
}

function hostFaults(field: string, given: unknown, isTaken = (_host: string): boolean => true): FieldFault[] {
  const named: unknown[] = Array.isArray(given) ? given.slice(0, MAX_HOSTS) : [];
  return named.flatMap((host, index) => {
    const name = typeof host === 'string' ? normaliseHost(host) : '*.';
    return name === null || !isTaken(name) ? [{ field: `${field}[${index}]`, code: 'invalid_value' as const }] : [];
  });
}

/** Returns distinct hosts in stored form. @throws {Error} for faults that {@link siteFaults} would have found */
export function storedHosts(given: readonly string[]): string[] {
  const stored = given.map((host) => {
    const name = normaliseHost(host);
    if (name === null) throw new Error('the host has not been validated');
    return name;
  });
  return [...new Set(stored)];
}

/** @param encrypt encrypts the identity secret (domain/accounts/secretKeys.ts) */
export function changeOf(
  {
    owner_state: owner,
    network: shared,
    hosts: named,
    ignored_referrers: ignored,
    mask_texts: maskTexts,
    honour_gpc: honourGpc,
    identity_secret: secret,
    require_user_hash: requireUserHash,
    ...rest
  }: Static<typeof SitePatch>,
  encrypt: (secret: string) => Buffer,
): SiteChange {
  return {
    ...rest,
    ...(named !== undefined && { hosts: storedHosts(named) }),
    ...(ignored !== undefined && { ignoredReferrers: storedHosts(ignored) }),
    ...(owner !== undefined && { ownerState: owner }),
    ...(maskTexts !== undefined && { maskTexts }),
    ...(honourGpc !== undefined && { honourGpc }),
    ...(secret !== undefined && { identitySecret: secret === null ? null : encrypt(secret) }),
    ...(requireUserHash !== undefined && { requireUserHash }),
    ...(shared?.enabled !== undefined && { networkEnabled: shared.enabled }),
    ...(shared?.sensitive_topics !== undefined && { sensitiveTopics: shared.sensitive_topics }),
  };
}

export function toSite(site: StoredSite): Static<typeof Site> {
  const {
    id,
    title: name,
    timezone: zone,
    currency: money,
    state: current,
    ownerState: owner,
    fingerprints,
    recordings,
  } = site;
  return {
    id,
    title: name,
    hosts: site.hosts,
    ignored_referrers: site.ignoredReferrers,
    timezone: zone,
    currency: money,
    state: current,
    owner_state: owner,
    rates: site.rates,
    quotas: { ...DEFAULT_QUOTAS, ...site.quotas },
    limits: { ...DEFAULT_SITE_LIMITS, ...site.limits },
    robots: { ...DEFAULT_ROBOT_RULES, ...site.robots },
    fingerprints,
    recordings,
    mask_texts: site.maskTexts,
    honour_gpc: site.honourGpc,
    has_identity_secret: site.hasIdentitySecret,
    require_user_hash: site.requireUserHash,
    network: { enabled: site.networkEnabled, sensitive_topics: site.sensitiveTopics },
    created_at: site.createdAt.toISOString(),
  };
}
