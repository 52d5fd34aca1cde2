/** Builds the OpenAPI documents that the running service publishes, without a server. */
import { analyticsSurface } from '../../../api/analyticsApi.ts';
import { cabinetSurface } from '../../../api/cabinetApi.ts';
import { contentSurface } from '../../../api/contentApi.ts';
import { describeApi } from '../../../api/http/operations/openapi.ts';

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
