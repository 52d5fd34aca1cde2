/** The cabinet API: management by people and their scripts. */
import type pg from 'pg';
import { auditEntryOf, isAudited } from '../auth/audit.ts';
import { requireScope } from '../auth/access.ts';
import { createCabinetAuthentication, type CabinetCaller } from '../auth/cabinet.ts';
import type { KeyLookUps } from '../auth/keyLookUps.ts';
import { SESSION_COOKIE } from '../auth/sessionCookie.ts';
import type { Api, ApiDescription, ApiSurface } from '../http/api.ts';
import { assembleApi } from '../http/assembleApi.ts';
import { descriptionOperation } from '../http/describeOperation.ts';
import { RUSSIAN_CABINET } from '../http/errorTexts.ts';
import { listAudit } from './audit.ts';
import type { CabinetDeps } from './cabinetOperation.ts';
import { dictionaryOperations } from './dictionaries.ts';
import { getDelivery, listDeliveriesOperation, listItemDeliveriesOperation } from './deliveries.ts';
import { listProjectEventTypes, putProjectEventType } from './eventTypes.ts';
import { deleteSiteGoal, listSiteGoals, putSiteGoal } from './goals.ts';
import { trySiteGoal } from './goalTry.ts';
import { createExport, getExport, listExportsOperation } from './exports.ts';
import { listProjectItems, reprocessProjectItem } from './items.ts';
import { getProjectItem } from './itemRead.ts';
import { getItemStatistics } from './itemStatistics.ts';
import { deleteProjectItem, patchProjectItem, putProjectItem } from './itemWrite.ts';
import { getInstallation } from './installation/index.ts';
import { acceptInvitationOperation } from './invitations.ts';
import { createImport, getImport, listImportsOperation } from './imports.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { listModelsOperation, trainModel } from './models.ts';
import { listLatestProjectEvents, listProjectEvents } from './projectEvents.ts';
import { deleteProjectUser, getProjectUser } from './projectUsers.ts';
import { createProject, getProject, listProjectsOperation, patchProject } from './projects.ts';
import { checkProvidersNow, listProviders } from './providers.ts';
import { patchPreferences } from './preferences.ts';
import { findOutputObstacles } from './outputObstacles.ts';
import { previewProjectOutput } from './outputPreview.ts';
import { reportProjectOutput } from './outputReport.ts';
import { listProjectProperties, putProjectProperty } from './properties.ts';
import { getRecordingPart, getRecordingParts, getRecordingTimeline } from './recordingParts.ts';
import { deleteRecordingOperation, getRecording, listRecordingsOperation, patchRecording } from './recordings.ts';
import { getRecovery, listRecoveriesOperation, recoverDeliveries } from './recoveries.ts';
import { getReportFields } from './reportFields.ts';
import { postSiteReport } from './reports.ts';
import { postSiteReportBatch } from './reportBatch.ts';
import { getSiteRealtime } from './realtime.ts';
import { pageMapOperations } from './pageMaps.ts';
import { getPipeline } from './pipeline.ts';
import { cancelRerunOperation, createRerun, getRerun, listRerunsOperation } from './rerun.ts';
import {
  confirmSecondFactorOperation,
  getSecondFactor,
  removeSecondFactorOperation,
  startSecondFactor,
} from './secondFactor.ts';
import { getMe, login, logout, logoutEverywhere, patchMe } from './login.ts';
import { endSession, listSessionsOperation } from './sessions.ts';
import { createSignInLink, signIn } from './signInLinks.ts';
import { createSiteKey, listKeysOfSite, revokeKeyOfSite } from './siteKeys.ts';
import { createSite, getSite, listSitesOperation, patchSite } from './sites.ts';
import { createSiteReport, deleteSiteReport, getSiteReport, listSiteReports, patchSiteReport } from './savedReports.ts';
import { createSiteSegment, deleteSiteSegment, listSiteSegments, patchSiteSegment } from './segments.ts';
import { getSiteStatus } from './siteStatus.ts';
import { getSiteTag } from './siteTag.ts';
import { deleteProjectSurface, getProjectSurface, listProjectSurfaces, putProjectSurface } from './surfaces.ts';
import { getProjectSynonyms, putProjectSynonyms } from './synonyms.ts';
import { createToken, listTokensOperation, revokeTokenOperation } from './tokens.ts';
import { createInvitation, createUser, deleteUserOperation, listUsersOperation, patchUser } from './users.ts';
import { getTroubles } from './troubles.ts';
import { getUsage } from './usage.ts';
import { deleteSiteUser } from './siteUsers.ts';
import { getSiteVisitor, listSiteVisitors } from './visitorRead.ts';
import { deleteVisitor } from './visitorDelete.ts';
import { resend, testWebhook } from './webhookActions.ts';
import { getWebhookStatistics } from './webhookStatistics.ts';
import { listWebhookAlerts } from './webhookAlerts.ts';
import {
  createWebhook,
  deleteWebhookOperation,
  getWebhook,
  listWebhooksOperation,
  patchWebhook,
  rotateSecret,
} from './webhooks.ts';

/** Default limit of one token or session; a burst of one second's worth is allowed. */
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
    { name: 'people', description: 'Пользователи интегратора: что о них известно' },
    { name: 'properties', description: 'Свойства объектов' },
    { name: 'output', description: 'Рекомендации: модели, места показа, эксперименты, отчёт, просмотр, синонимы' },
    { name: 'items', description: 'Объекты' },
    { name: 'imports', description: 'Загрузка объектов файлом' },
    { name: 'usage', description: 'Объём анализа' },
    { name: 'webhooks', description: 'Вебхуки' },
    { name: 'deliveries', description: 'Журнал доставок' },
    { name: 'dictionaries', description: 'Словари: интересы, покупки, места' },
    { name: 'sites', description: 'Сайты' },
    { name: 'siteKeys', description: 'Ключи сайтов' },
    { name: 'goals', description: 'Цели сайтов' },
    { name: 'reports', description: 'Отчёты' },
    { name: 'maps', description: 'Карты кликов и прокрутки страниц' },
    { name: 'exports', description: 'Выгрузки отчётов' },
    { name: 'recordings', description: 'Записи сессий' },
    { name: 'visitors', description: 'Посетители сайтов' },
    { name: 'segments', description: 'Сохранённые сегменты' },
    { name: 'savedReports', description: 'Сохранённые отчёты' },
    { name: 'realtime', description: 'Сайт в реальном времени' },
    { name: 'state', description: 'На что посмотреть: неудачи, затихшие сайты, состояние установки' },
    { name: 'service', description: 'Описание API' },
  ],
};

const describeCabinet = descriptionOperation<CabinetDeps>({
  summary: 'Описание этого API в формате OpenAPI 3.1',
  reply: 'Документ OpenAPI',
});

export const cabinetOperations = [
  ...dictionaryOperations,
  getMe,
  patchMe,
  patchPreferences,
  logout,
  logoutEverywhere,
  listSessionsOperation,
  endSession,
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
  createSignInLink,
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
  listLatestProjectEvents,
  getProjectUser,
  deleteProjectUser,
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
  findOutputObstacles,
  listProjectItems,
  getProjectItem,
  getItemStatistics,
  putProjectItem,
  patchProjectItem,
  deleteProjectItem,
  reprocessProjectItem,
  createImport,
  listImportsOperation,
  getImport,
  getPipeline,
  createRerun,
  listRerunsOperation,
  getRerun,
  cancelRerunOperation,
  listModelsOperation,
  trainModel,
  getUsage,
  listWebhooksOperation,
  createWebhook,
  getWebhook,
  patchWebhook,
  deleteWebhookOperation,
  rotateSecret,
  testWebhook,
  listWebhookAlerts,
  getTroubles,
  getInstallation,
  listProviders,
  checkProvidersNow,
  getWebhookStatistics,
  listItemDeliveriesOperation,
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
  getSiteStatus,
  getSiteTag,
  listSiteGoals,
  putSiteGoal,
  deleteSiteGoal,
  trySiteGoal,
  postSiteReport,
  postSiteReportBatch,
  getReportFields,
  ...pageMapOperations,
  createExport,
  listExportsOperation,
  getExport,
  listRecordingsOperation,
  getRecording,
  getRecordingTimeline,
  getRecordingParts,
  getRecordingPart,
  patchRecording,
  deleteRecordingOperation,
  listSiteVisitors,
  getSiteVisitor,
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
export const cabinetPublicOperations = [login, signIn, acceptInvitationOperation, describeCabinet];

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
