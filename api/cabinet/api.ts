/** The cabinet API: what people and their scripts manage. */
import type pg from 'pg';
import { auditEntryOf, isAudited } from '../auth/audit.ts';
import { requireScope } from '../auth/access.ts';
import { createCabinetAuthentication, type CabinetCaller } from '../auth/cabinet.ts';
import type { KeyLookUps } from '../auth/keyLookUps.ts';
import { SESSION_COOKIE } from '../auth/sessionCookie.ts';
import type { Api, ApiDescription, ApiSurface } from '../http/api.ts';
import { assembleApi } from '../http/assembleApi.ts';
import { descriptionOperation } from '../http/describeOperation.ts';
import { RUSSIAN_CABINET } from '../http/texts.ts';
import { listAudit } from './audit.ts';
import type { CabinetDeps } from './define.ts';
import { getDelivery, listDeliveriesOperation } from './deliveries.ts';
import { listProjectEventTypes, putProjectEventType } from './eventTypes.ts';
import { deleteSiteGoal, listSiteGoals, putSiteGoal } from './goals.ts';
import { createExport, getExport, listExportsOperation } from './exports.ts';
import { listProjectItems, reprocessProjectItem } from './items.ts';
import { acceptInvitationOperation } from './invitations.ts';
import { createImport, getImport, listImportsOperation } from './imports.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { listModelsOperation, trainModel } from './models.ts';
import { listProjectEvents } from './projectEvents.ts';
import { createProject, getProject, listProjectsOperation, patchProject } from './projects.ts';
import { previewProjectOutput } from './outputPreview.ts';
import { reportProjectOutput } from './outputReport.ts';
import { listProjectProperties, putProjectProperty } from './properties.ts';
import {
  deleteRecordingOperation,
  getRecording,
  getRecordingPart,
  listRecordingsOperation,
  patchRecording,
} from './recordings.ts';
import { getRecovery, listRecoveriesOperation, recoverDeliveries } from './recoveries.ts';
import { postSiteReport } from './reports.ts';
import { getSiteRealtime } from './realtime.ts';
import { createRerun, getRerun } from './rerun.ts';
import {
  confirmSecondFactorOperation,
  getSecondFactor,
  removeSecondFactorOperation,
  startSecondFactor,
} from './secondFactor.ts';
import { getMe, login, logout, logoutEverywhere, patchMe } from './session.ts';
import { createSiteKey, listKeysOfSite, revokeKeyOfSite } from './siteKeys.ts';
import { createSite, getSite, listSitesOperation, patchSite } from './sites.ts';
import { createSiteReport, deleteSiteReport, getSiteReport, listSiteReports, patchSiteReport } from './savedReports.ts';
import { createSiteSegment, deleteSiteSegment, listSiteSegments, patchSiteSegment } from './segments.ts';
import { getSiteTag } from './siteTag.ts';
import { deleteProjectSurface, getProjectSurface, listProjectSurfaces, putProjectSurface } from './surfaces.ts';
import { getProjectSynonyms, putProjectSynonyms } from './synonyms.ts';
import { createToken, listTokensOperation, revokeTokenOperation } from './tokens.ts';
import { createInvitation, createUser, deleteUserOperation, listUsersOperation, patchUser } from './users.ts';
import { getUsage } from './usage.ts';
import { deleteSiteUser } from './siteUsers.ts';
import { deleteVisitor } from './visitors.ts';
import { resend, testWebhook } from './webhookActions.ts';
import { listWebhookAlerts } from './webhookAlerts.ts';
import {
  createWebhook,
  deleteWebhookOperation,
  listWebhooksOperation,
  patchWebhook,
  rotateSecret,
} from './webhooks.ts';

/** Of one token or session, unless the deps say otherwise; a second's worth may come at once. */
const REQUESTS_PER_SECOND = 50;

export const cabinetDescription: ApiDescription = {
  title: 'Attune: кабинет',
  version: '1',
  description:
    'Управление проектами и сайтами, ключами и вебхуками. Списки отвечают {items, next_cursor}. Роли: admin — вся установка; owner — свои проекты и сайты; viewer — только чтение. Чужой проект или сайт отвечает 404, недостаточная роль — 403. Одному токену или одной сессии — 50 запросов в секунду, дальше 429.',
  basePath: '/cabinet/api',
  security: { name: 'cabinetToken', description: 'Личный токен: `Authorization: Bearer at_…`' },
  cookie: {
    name: 'cabinetSession',
    cookie: SESSION_COOKIE,
    description:
      'Сессия после POST /login; без https имя — attune_session. Меняющие запросы принимаются только со своих страниц: Sec-Fetch-Site: same-origin либо свой Origin.',
  },
  tags: [
    { name: 'session', description: 'Вход, выход и кто вошёл' },
    { name: 'tokens', description: 'Личные токены' },
    { name: 'users', description: 'Пользователи' },
    { name: 'audit', description: 'Журнал изменений' },
    { name: 'projects', description: 'Проекты' },
    { name: 'keys', description: 'Ключи проектов' },
    { name: 'eventTypes', description: 'Типы событий' },
    { name: 'events', description: 'События: что передано и что отклонено' },
    { name: 'properties', description: 'Свойства объектов' },
    { name: 'output', description: 'Рекомендации: места показа, эксперименты, отчёт, просмотр' },
    { name: 'items', description: 'Объекты' },
    { name: 'imports', description: 'Загрузка объектов файлом' },
    { name: 'output', description: 'Рекомендации' },
    { name: 'usage', description: 'Объём анализа' },
    { name: 'webhooks', description: 'Вебхуки' },
    { name: 'deliveries', description: 'Журнал доставок' },
    { name: 'sites', description: 'Сайты' },
    { name: 'siteKeys', description: 'Ключи сайтов' },
    { name: 'goals', description: 'Цели сайтов' },
    { name: 'reports', description: 'Отчёты' },
    { name: 'exports', description: 'Выгрузки отчётов' },
    { name: 'recordings', description: 'Записи сессий' },
    { name: 'segments', description: 'Сохранённые сегменты' },
    { name: 'savedReports', description: 'Сохранённые отчёты' },
    { name: 'realtime', description: 'Сайт в реальном времени' },
    { name: 'service', description: 'Описание API' },
  ],
};

const describeCabinet = descriptionOperation<CabinetDeps>({
  summary: 'Описание этого API в формате OpenAPI 3.1',
  reply: 'Документ OpenAPI',
});

export const cabinetOperations = [
  getMe,
  patchMe,
  logout,
  logoutEverywhere,
  getSecondFactor,
  startSecondFactor,
  confirmSecondFactorOperation,
  removeSecondFactorOperation,
  listTokensOperation,
  createToken,
  revokeTokenOperation,
  listUsersOperation,
  createUser,
  patchUser,
  createInvitation,
  deleteUserOperation,
  listAudit,
  listProjectsOperation,
  createProject,
  getProject,
  patchProject,
  listKeys,
  createKey,
  revokeKey,
  listProjectEventTypes,
  putProjectEventType,
  listProjectEvents,
  listProjectProperties,
  putProjectProperty,
  listProjectSurfaces,
  getProjectSurface,
  putProjectSurface,
  deleteProjectSurface,
  reportProjectOutput,
  getProjectSynonyms,
  putProjectSynonyms,
  previewProjectOutput,
  listProjectItems,
  reprocessProjectItem,
  createImport,
  listImportsOperation,
  getImport,
  createRerun,
  getRerun,
  listModelsOperation,
  trainModel,
  getUsage,
  listWebhooksOperation,
  createWebhook,
  patchWebhook,
  deleteWebhookOperation,
  rotateSecret,
  testWebhook,
  listWebhookAlerts,
  listDeliveriesOperation,
  getDelivery,
  resend,
  recoverDeliveries,
  listRecoveriesOperation,
  getRecovery,
  listSitesOperation,
  createSite,
  getSite,
  patchSite,
  listKeysOfSite,
  createSiteKey,
  revokeKeyOfSite,
  getSiteTag,
  listSiteGoals,
  putSiteGoal,
  deleteSiteGoal,
  postSiteReport,
  createExport,
  listExportsOperation,
  getExport,
  listRecordingsOperation,
  getRecording,
  getRecordingPart,
  patchRecording,
  deleteRecordingOperation,
  deleteVisitor,
  deleteSiteUser,
  listSiteSegments,
  createSiteSegment,
  patchSiteSegment,
  deleteSiteSegment,
  listSiteReports,
  createSiteReport,
  getSiteReport,
  patchSiteReport,
  deleteSiteReport,
  getSiteRealtime,
];
export const cabinetPublicOperations = [login, acceptInvitationOperation, describeCabinet];

export const cabinetSurface: ApiSurface<CabinetCaller, CabinetDeps> = {
  description: cabinetDescription,
  texts: RUSSIAN_CABINET,
  hostPath: '/cabinet/api',
  operations: cabinetOperations,
  publicOperations: cabinetPublicOperations,
  maxBodyBytes: 5 * 1024 * 1024,
  oversizedBatch: 'payload_too_large',
};

export function createCabinetApi(
  pool: pg.Pool,
  deps: Omit<CabinetDeps, 'describe' | 'pool'>,
  lookUps: KeyLookUps,
  requestsPerSecond = REQUESTS_PER_SECOND,
): Api<CabinetCaller, CabinetDeps> {
  return assembleApi(cabinetSurface, {
    deps: { ...deps, pool },
    authenticate: createCabinetAuthentication(pool, deps.publicUrl, lookUps),
    record: async (request) => {
      if (isAudited(request.operation)) await deps.audit(auditEntryOf(request));
    },
    checkScope: ({ scope }, operation, params) => requireScope(scope, operation, params),
    limitOf: ({ bucket }) => ({ key: bucket, limit: { capacity: requestsPerSecond, perSecond: requestsPerSecond } }),
  });
}
