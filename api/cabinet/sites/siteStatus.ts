/** GET /sites/{id}/status: the state of a site's tag, and today's use of its quotas. */
import Type from 'typebox';
import { countRecordedBytes } from '../../../db/recordings/dailyBytes.ts';
import { countRecordings } from '../../../db/recordings/recordingIntake.ts';
import { listSenders, SENDERS_PER_OUTCOME, type Sender } from '../../../db/sites/senders.ts';
import { findSite, type StoredSite } from '../../../db/sites/sites.ts';
import { readSiteToday } from '../../../db/sites/activityAndQuotaUse.ts';
import { listsHost } from '../../../domain/sites/hosts.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import { dateTime, nullable, type Static } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, SitePath } from '../cabinetOperation.ts';

const MEGABYTE = 1_048_576;

const requests = Type.Integer({ minimum: 0, description: 'Пакетов с first_at' });
const host = Type.String({ description: 'Имя страницы; пустое — у страницы нет имени (файл, приложение)' });
const seen = { requests, first_at: dateTime(), last_at: dateTime() };
const Host = Type.Object({ host, ...seen }, { title: 'SiteSender' });
const WrongKey = Type.Object(
  {
    host,
    prefix: Type.String({ description: 'Первые символы присланного ключа; пустые — ключа не было' }),
    revoked: Type.Boolean({ description: 'Отозванный ключ этого сайта; иначе неизвестный' }),
    ...seen,
  },
  { title: 'SiteWrongKey' },
);
const used = (description: string) =>
  Type.Object({ used: Type.Number({ minimum: 0 }), quota: Type.Integer({ minimum: 0 }) }, { description });

const Status = Type.Object(
  {
    last_hit_at: nullable(dateTime({ description: 'Последний хит, с точностью до секунд; null — за 31 день не было' })),
    last_hit_on: nullable(Type.String({ description: 'Последний день с хитами по московскому времени' })),
    hosts: Type.Array(Host, { description: 'С каких имён приходят пакеты, последние первыми' }),
    refused_hosts: Type.Array(Host, { description: 'Имена, которых нет в hosts: их пакеты отклонены с 403' }),
    wrong_keys: Type.Array(WrongKey, {
      description:
        'Пакеты, отклонённые с 401: с отозванным ключом сайта либо с неизвестным на страницах, чьё имя есть в hosts (кроме *)',
    }),
    today: Type.Object(
      {
        hits: used('Хиты; сверх квоты учитывается каждый десятый посетитель'),
        recordings: used('Записи сессий от 5 секунд; сверх квоты новые не начинаются'),
        recording_mb: used('Мегабайты записей; сверх квоты части не принимаются'),
      },
      { description: 'С начала суток по московскому времени' },
    ),
  },
  { title: 'SiteStatus' },
);

const times = { first_at: '2026-11-20T09:00:00.000Z', last_at: '2026-11-20T12:30:00.000Z' };
const example: Static<typeof Status> = {
  last_hit_at: '2026-11-20T12:30:00.000Z',
  last_hit_on: '2026-11-20',
  hosts: [{ host: 'shop.example.com', requests: 1840, ...times }],
  refused_hosts: [{ host: 'beta.example.com', requests: 12, ...times }],
  wrong_keys: [{ host: 'shop.example.com', prefix: 'as_01234', revoked: true, requests: 3, ...times }],
  today: {
    hits: { used: 18_400, quota: 1_000_000 },
    recordings: { used: 40, quota: 1_000 },
    recording_mb: { used: 12.5, quota: 4_096 },
  },
};

export const getSiteStatus = define({
  method: 'get',
  path: '/sites/{id}/status',
  operationId: 'getSiteStatus',
  tag: 'sites',
  summary: 'Что приходит от счётчика сайта',
  description: `Имена и ключи известны через 5 секунд после пакета и хранятся 31 день, каждого вида до ${SENDERS_PER_OUTCOME} последних.`,
  params: SitePath,
  replies: { 200: { description: 'Состояние счётчика и квот', schema: Status, example } },
  errors: [404],
  async handle({ params: { id } }, { pool }) {
    const site = await findSite(pool, id);
    if (!site) throw notFound();
    const [senders, today, recordings, bytes] = await Promise.all([
      listSenders(pool, id),
      readSiteToday(pool, id),
      countRecordings(pool, id),
      countRecordedBytes(pool, id, null),
    ]);
    const accepted = senders.filter(({ outcome }) => outcome === 'accepted');
    const lastHit = Math.max(today.openHitAt?.getTime() ?? 0, accepted[0]?.lastAt.getTime() ?? 0);
    const quotas = { ...DEFAULT_QUOTAS, ...site.quotas };
    const body: Static<typeof Status> = {
      last_hit_at: lastHit === 0 ? null : new Date(lastHit).toISOString(),
      last_hit_on: today.lastHitOn,
      hosts: accepted.map(toHost),
      refused_hosts: senders.filter((sender) => isRefused(sender, site)).map(toHost),
      wrong_keys: senders.filter(({ outcome }) => outcome.endsWith('_key')).map(toWrongKey),
      today: {
        hits: { used: today.hits, quota: quotas.hits_per_day },
        recordings: { used: recordings.counted + recordings.young, quota: quotas.recordings_per_day },
        recording_mb: { used: bytes.ofSite / MEGABYTE, quota: quotas.recording_mb_per_day },
      },
    };
    return { status: 200, body };
  },
});

/** Returns true for a refused host, unless it was listed in the meantime. */
function isRefused({ outcome, host: name }: Sender, { hosts }: StoredSite): boolean {
  return outcome === 'unlisted_host' && !listsHost(hosts, name);
}

const toSeen = ({ requests: count, firstAt, lastAt }: Sender) => ({
  requests: count,
  first_at: firstAt.toISOString(),
  last_at: lastAt.toISOString(),
});

const toHost = (sender: Sender): Static<typeof Host> => ({ host: sender.host, ...toSeen(sender) });

const toWrongKey = (sender: Sender): Static<typeof WrongKey> => ({
  host: sender.host,
  prefix: sender.key,
  revoked: sender.outcome === 'revoked_key',
  ...toSeen(sender),
});
