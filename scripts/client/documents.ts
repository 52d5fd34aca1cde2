/** The OpenAPI documents as the running service describes itself, without a server. */
import { analyticsSurface } from '../../api/analytics/api.ts';
import { cabinetSurface } from '../../api/cabinet/api.ts';
import { contentSurface } from '../../api/content/api.ts';
import { describeApi } from '../../api/http/openapi.ts';

export type ApiName = 'content' | 'analytics' | 'cabinet';

/** By the name of the API, as JSON text. */
export function describeApis(): Record<ApiName, string> {
  return {
    content: toText(describeApi(contentSurface)),
    analytics: toText(describeApi(analyticsSurface)),
    cabinet: toText(describeApi(cabinetSurface)),
  };
}

const toText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
