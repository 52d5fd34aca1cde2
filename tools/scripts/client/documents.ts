/** Builds the OpenAPI documents that the running service publishes, without a server. */
import { analyticsSurface } from '../../../api/analytics/analyticsApi.ts';
import { cabinetSurface } from '../../../api/cabinet/cabinetApi.ts';
import { contentSurface } from '../../../api/content/contentApi.ts';
import { describeApi } from '../../../api/http/openapi.ts';

export type ApiName = 'content' | 'analytics' | 'cabinet';

/** Returns the documents by API name, as JSON text. */
export function describeApis(): Record<ApiName, string> {
  return {
    content: toText(describeApi(contentSurface)),
    analytics: toText(describeApi(analyticsSurface)),
    cabinet: toText(describeApi(cabinetSurface)),
  };
}

const toText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
