/** The cabinet API: management by people and their scripts. */
import type pg from 'pg';
import { auditEntryOf, isAudited } from './auth/audit.ts';
import { isRoleEnough, requireScope } from './auth/access.ts';
import { createCabinetAuthentication, type CabinetCaller } from './auth/cabinetAuthentication.ts';
import type { KeyLookups } from './auth/keyLookups.ts';
import { SESSION_COOKIE } from './auth/sessionCookie.ts';
import type { Api, ApiDescription, ApiDefinition } from './http/operations/apiDefinition.ts';
import { assembleApi } from './http/operations/assembleApi.ts';
import { descriptionOperation } from './http/operations/describeOperation.ts';
import { RUSSIAN_CABINET } from './http/errorMessages.ts';
import { listAudit } from './cabinet/accounts/audit.ts';
import type { CabinetDeps } from './cabinet/cabinetOperation.ts';
import { dictionaryOperations } from './cabinet/reports/dictionaries.ts';
import { getDelivery, listDeliveriesOperation, listItemDeliveriesOperation } from './cabinet/webhooks/deliveries.ts';
import { listProjectEventTypes, putProjectEventType } from './cabinet/items/eventTypes.ts';
import { deleteSiteGoal, listSiteGoals, putSiteGoal } from './cabinet/sites/goals.ts';
import { trySiteGoal } from './cabinet/sites/goalTry.ts';
import { createExport, getExport, listExportsOperation } from './cabinet/reports/exports.ts';
import { listProjectItems, reprocessProjectItem } from './cabinet/items/items.ts';
import { getProjectItem } from './cabinet/items/itemRead.ts';
import { getItemStatistics } from './cabinet/items/itemStatistics.ts';
import { deleteProjectItem, patchProjectItem, putProjectItem } from './cabinet/items/itemWrite.ts';
import { getInstallation } from './cabinet/installation/installation.ts';
import { acceptInvitationOperation } from './cabinet/accounts/invitations.ts';
import { createImport, getImport, listImportsOperation } from './cabinet/items/imports.ts';
import { createKey, listKeys, revokeKey } from './cabinet/projects/projectKeys.ts';
import { listModelsOperation, trainModel } from './cabinet/output/models.ts';
import { listLatestProjectEvents } from './cabinet/items/latestEvents.ts';
import { listProjectEvents } from './cabinet/items/projectEvents.ts';
import { deleteProjectUser, getProjectUser } from './cabinet/projects/projectUsers.ts';
import { createProject, getProject, listProjectsOperation, patchProject } from './cabinet/projects/projects.ts';
import { checkProvidersNow, listProviders } from './cabinet/installation/providers.ts';
import { patchPreferences } from './cabinet/accounts/preferences.ts';
import { findOutputObstacles } from './cabinet/output/outputObstacles.ts';
import { previewProjectOutput } from './cabinet/output/outputPreview.ts';
import { reportProjectOutput } from './cabinet/output/outputReport.ts';
import { listProjectProperties, putProjectProperty } from './cabinet/items/properties.ts';
import { getRecordingPart, getRecordingParts, getRecordingTimeline } from './cabinet/recordings/recordingParts.ts';
import {
  deleteRecordingOperation,
  getRecording,
  listRecordingsOperation,
  patchRecording,
} from './cabinet/recordings/recordings.ts';
import { getRecovery, listRecoveriesOperation, recoverDeliveries } from './cabinet/webhooks/recoveries.ts';
import { getReportFields } from './cabinet/reports/reportFields.ts';
import { postSiteReport } from './cabinet/reports/reports.ts';
import { postSiteReportBatch } from './cabinet/reports/reportBatch.ts';
import { getSiteRealtime } from './cabinet/reports/realtime.ts';
import { pageMapOperations } from './cabinet/recordings/pageMaps.ts';
import { getPipeline } from './cabinet/items/pipeline.ts';
import { cancelRerunOperation, createRerun, getRerun, listRerunsOperation } from './cabinet/items/rerun.ts';
import {
  confirmSecondFactorOperation,
  getSecondFactor,
  removeSecondFactorOperation,
  startSecondFactor,
} from './cabinet/accounts/secondFactor.ts';
import { getMe, login, logout, logoutEverywhere, patchMe } from './cabinet/accounts/login.ts';
import { endSession, listSessionsOperation } from './cabinet/accounts/sessions.ts';
import { createSignInLink, signIn } from './cabinet/accounts/signInLinks.ts';
import { createSiteKey, listKeysOfSite, revokeKeyOfSite } from './cabinet/sites/siteKeys.ts';
import { createSite, getSite, listSitesOperation, patchSite } from './cabinet/sites/sites.ts';
import {
  createSiteReport,
  deleteSiteReport,
  getSiteReport,
  listSiteReports,
  patchSiteReport,
} from './cabinet/reports/savedReports.ts';
import {
  createSiteSegment,
  deleteSiteSegment,
  listSiteSegments,
  patchSiteSegment,
} from './cabinet/reports/segments.ts';
import { getSiteStatus } from './cabinet/sites/siteStatus.ts';
import { getSiteTag } from './cabinet/sites/siteTag.ts';
import {
  deleteProjectSurface,
  getProjectSurface,
  listProjectSurfaces,
  putProjectSurface,
} from './cabinet/output/surfaces.ts';
import { getProjectSynonyms, putProjectSynonyms } from './cabinet/output/synonyms.ts';
import { createToken, listTokensOperation, revokeTokenOperation } from './cabinet/accounts/tokens.ts';
import {
  createInvitation,
  createUser,
  deleteUserOperation,
  listUsersOperation,
  patchUser,
} from './cabinet/accounts/users.ts';
import { getTroubles } from './cabinet/installation/troubles.ts';
import { limitOf, REQUESTS_PER_SECOND } from './cabinet/requestRate.ts';
import { BODY_LIMITS } from './http/requestBody.ts';
import { getUsage } from './cabinet/projects/usage.ts';
import { deleteSiteUser } from './cabinet/visitors/siteUsers.ts';
import { getSiteVisitor, listSiteVisitors } from './cabinet/visitors/visitorRead.ts';
import { deleteVisitor } from './cabinet/visitors/visitorDelete.ts';
import { resend, testWebhook } from './cabinet/webhooks/webhookActions.ts';
import { getWebhookStatistics } from './cabinet/webhooks/webhookStatistics.ts';
import { listWebhookAlerts } from './cabinet/webhooks/webhookAlerts.ts';
import {
  createWebhook,
  deleteWebhookOperation,
  getWebhook,
  listWebhooksOperation,
  patchWebhook,
  rotateSecret,
} from './cabinet/webhooks/webhooks.ts';

export const cabinetDescription: ApiDescription = {
  title: 'Attune: кабинет',
  version: '1',
  description: `Управление проектами и сайтами, ключами и вебхуками. Списки отвечают {items, next_cursor}. Роли: admin — вся установка; owner — свои проекты и сайты; viewer — только чтение. Чужой проект или сайт отвечает 404, недостаточная роль — 403. Одному токену или одной сессии — ${REQUESTS_PER_SECOND} запросов в секунду, дальше 429.`,
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

export const cabinetDefinition: ApiDefinition<CabinetCaller, CabinetDeps> = {
  description: cabinetDescription,
  texts: RUSSIAN_CABINET,
  hostPath: '/cabinet/api',
  operations: cabinetOperations,
  publicOperations: cabinetPublicOperations,
  maxBodyBytes: BODY_LIMITS.maxBytes,
  oversizedBatch: 'payload_too_large',
};

export type CabinetApiDeps = Omit<CabinetDeps, 'describe' | 'pool'>;

export function createCabinetApi(
  pool: pg.Pool,
  deps: CabinetApiDeps,
  lookups: KeyLookups,
  requestsPerSecond = REQUESTS_PER_SECOND,
): Api<CabinetCaller, CabinetDeps> {
  return assembleApi(cabinetDefinition, {
    deps: { ...deps, pool },
    authenticate: createCabinetAuthentication(pool, deps.publicUrl, lookups),
    record: async (request) => {
      if (isAudited(request.operation)) await deps.audit(auditEntryOf(request));
    },
    accepts: ({ role }, operation) => isRoleEnough(role, operation),
    checkScope: ({ scope }, operation, params) => requireScope(scope, operation, params),
    limitOf: (caller) => limitOf(caller, requestsPerSecond),
  });
}
