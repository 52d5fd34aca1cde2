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
import { RUSSIAN_CABINET } from '../http/errorMessages.ts';
import { listAudit } from './accounts/audit.ts';
import type { CabinetDeps } from './cabinetOperation.ts';
import { dictionaryOperations } from './reports/dictionaries.ts';
import { getDelivery, listDeliveriesOperation, listItemDeliveriesOperation } from './webhooks/deliveries.ts';
import { listProjectEventTypes, putProjectEventType } from './items/eventTypes.ts';
import { deleteSiteGoal, listSiteGoals, putSiteGoal } from './sites/goals.ts';
import { trySiteGoal } from './sites/goalTry.ts';
import { createExport, getExport, listExportsOperation } from './reports/exports.ts';
import { listProjectItems, reprocessProjectItem } from './items/items.ts';
import { getProjectItem } from './items/itemRead.ts';
import { getItemStatistics } from './items/itemStatistics.ts';
import { deleteProjectItem, patchProjectItem, putProjectItem } from './items/itemWrite.ts';
import { getInstallation } from './installation/index.ts';
import { acceptInvitationOperation } from './accounts/invitations.ts';
import { createImport, getImport, listImportsOperation } from './items/imports.ts';
import { createKey, listKeys, revokeKey } from './projects/projectKeys.ts';
import { listModelsOperation, trainModel } from './output/models.ts';
import { listLatestProjectEvents, listProjectEvents } from './items/projectEvents.ts';
import { deleteProjectUser, getProjectUser } from './projects/projectUsers.ts';
import { createProject, getProject, listProjectsOperation, patchProject } from './projects/projects.ts';
import { checkProvidersNow, listProviders } from './installation/providers.ts';
import { patchPreferences } from './accounts/preferences.ts';
import { findOutputObstacles } from './output/outputObstacles.ts';
import { previewProjectOutput } from './output/outputPreview.ts';
import { reportProjectOutput } from './output/outputReport.ts';
import { listProjectProperties, putProjectProperty } from './items/properties.ts';
import { getRecordingPart, getRecordingParts, getRecordingTimeline } from './recordings/recordingParts.ts';
import {
  deleteRecordingOperation,
  getRecording,
  listRecordingsOperation,
  patchRecording,
} from './recordings/recordings.ts';
import { getRecovery, listRecoveriesOperation, recoverDeliveries } from './webhooks/recoveries.ts';
import { getReportFields } from './reports/reportFields.ts';
import { postSiteReport } from './reports/reports.ts';
import { postSiteReportBatch } from './reports/reportBatch.ts';
import { getSiteRealtime } from './reports/realtime.ts';
import { pageMapOperations } from './recordings/pageMaps.ts';
import { getPipeline } from './items/pipeline.ts';
import { cancelRerunOperation, createRerun, getRerun, listRerunsOperation } from './items/rerun.ts';
import {
  confirmSecondFactorOperation,
  getSecondFactor,
  removeSecondFactorOperation,
  startSecondFactor,
} from './accounts/secondFactor.ts';
import { getMe, login, logout, logoutEverywhere, patchMe } from './accounts/login.ts';
import { endSession, listSessionsOperation } from './accounts/sessions.ts';
import { createSignInLink, signIn } from './accounts/signInLinks.ts';
import { createSiteKey, listKeysOfSite, revokeKeyOfSite } from './sites/siteKeys.ts';
import { createSite, getSite, listSitesOperation, patchSite } from './sites/sites.ts';
import {
  createSiteReport,
  deleteSiteReport,
  getSiteReport,
  listSiteReports,
  patchSiteReport,
} from './reports/savedReports.ts';
import { createSiteSegment, deleteSiteSegment, listSiteSegments, patchSiteSegment } from './reports/segments.ts';
import { getSiteStatus } from './sites/siteStatus.ts';
import { getSiteTag } from './sites/siteTag.ts';
import { deleteProjectSurface, getProjectSurface, listProjectSurfaces, putProjectSurface } from './output/surfaces.ts';
import { getProjectSynonyms, putProjectSynonyms } from './output/synonyms.ts';
import { createToken, listTokensOperation, revokeTokenOperation } from './accounts/tokens.ts';
import { createInvitation, createUser, deleteUserOperation, listUsersOperation, patchUser } from './accounts/users.ts';
import { getTroubles } from './installation/troubles.ts';
import { getUsage } from './projects/usage.ts';
import { deleteSiteUser } from './visitors/siteUsers.ts';
import { getSiteVisitor, listSiteVisitors } from './visitors/visitorRead.ts';
import { deleteVisitor } from './visitors/visitorDelete.ts';
import { resend, testWebhook } from './webhooks/webhookActions.ts';
import { getWebhookStatistics } from './webhooks/webhookStatistics.ts';
import { listWebhookAlerts } from './webhooks/webhookAlerts.ts';
import {
  createWebhook,
  deleteWebhookOperation,
  getWebhook,
  listWebhooksOperation,
  patchWebhook,
  rotateSecret,
} from './webhooks/webhooks.ts';

/** Default limit of one token or session; a burst of one second's worth is allowed. */
const REQUESTS_PER_SECOND = 50;

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

export const cabinetSurface: ApiSurface<CabinetCaller, CabinetDeps> = {
  description: cabinetDescription,
  texts: RUSSIAN_CABINET,
  hostPath: '/cabinet/api',
  operations: cabinetOperations,
  publicOperations: cabinetPublicOperations,
  maxBodyBytes: 5 * 1024 * 1024,
  oversizedBatch: 'payload_too_large',
};

export type CabinetApiDeps = Omit<CabinetDeps, 'describe' | 'pool'>;

export function createCabinetApi(
  pool: pg.Pool,
  deps: CabinetApiDeps,
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
