/** The analytics API, for sites' servers: its operations, keys and limits. */
import type { SiteAuthentication, SiteCaller } from './auth/siteKey.ts';
import type { Api, ApiDescription, ApiDefinition } from './http/operations/apiDefinition.ts';
import { assembleApi } from './http/operations/assembleApi.ts';
import type { Operation } from './http/operations/operation.ts';
import { ENGLISH } from './http/errorMessages.ts';
import { postConversions } from './analytics/conversions.ts';
import type { AnalyticsDeps } from './analytics/analyticsOperation.ts';
import { limitOf } from './analytics/keyLimits.ts';
import { postOrders } from './analytics/orders.ts';
import { postReports } from './analytics/reports.ts';
import { describeOperation, healthOperation } from './analytics/healthAndOpenapi.ts';
import { postUsers } from './analytics/users.ts';
import { postVisitorAttributes } from './analytics/visitorAttributes.ts';
import { getNetwork, getVisitor } from './analytics/visitorRead.ts';

export const analyticsDescription: ApiDescription = {
  title: 'Attune: web analytics',
  version: '1',
  description:
    'Server-to-server: conversions, orders and refunds, reports, and what a site knows about its visitors and users. JSON in UTF-8, at most 1 MB; timestamps are ISO-8601 with Z; every answer carries X-Request-ID.',
  basePath: '/analytics/api/v1',
  security: { name: 'siteKey', description: 'Key of the site: `Authorization: Bearer ak_…`' },
  tags: [
    { name: 'conversions', description: "Goals reached, as the site's server confirms them" },
    { name: 'orders', description: 'Orders and refunds' },
    { name: 'reports', description: 'Reports, computed by the same engine as those of the cabinet' },
    { name: 'visitors', description: 'Attributes of visitors' },
    { name: 'users', description: 'What the site knows about its users' },
    { name: 'service', description: 'State of the service' },
  ],
};

export const analyticsOperations: Operation<SiteCaller, AnalyticsDeps>[] = [
  postConversions,
  postOrders,
  postReports,
  postVisitorAttributes,
  getVisitor,
  getNetwork,
  postUsers,
];
export const analyticsPublicOperations = [healthOperation, describeOperation];

export const analyticsDefinition: ApiDefinition<SiteCaller, AnalyticsDeps> = {
  description: analyticsDescription,
  texts: ENGLISH,
  hostPath: '/api/v1',
  operations: analyticsOperations,
  publicOperations: analyticsPublicOperations,
  maxBodyBytes: 1024 * 1024,
  oversizedBatch: 'too_many',
};

export type AnalyticsApiDeps = Omit<AnalyticsDeps, 'describe'> & Pick<SiteAuthentication, 'authenticate'>;

export function createAnalyticsApi(
  { authenticate, ...deps }: AnalyticsApiDeps,
  host: string | null,
): Api<SiteCaller, AnalyticsDeps> {
  return assembleApi<SiteCaller, AnalyticsDeps>(analyticsDefinition, { host, deps, authenticate, limitOf });
}
