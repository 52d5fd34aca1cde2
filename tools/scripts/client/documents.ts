/** Builds the OpenAPI documents that the running service publishes, without a server. */
import { analyticsDefinition } from '../../../api/analyticsApi.ts';
import { cabinetDefinition } from '../../../api/cabinetApi.ts';
import { contentDefinition } from '../../../api/contentApi.ts';
import { describeApi } from '../../../api/http/operations/openapi.ts';

export type ApiName = 'content' | 'analytics' | 'cabinet';

/** Returns the documents by API name, as JSON text. */
export function describeApis(): Record<ApiName, string> {
  return {
    content: toText(describeApi(contentDefinition)),
    analytics: toText(describeApi(analyticsDefinition)),
    cabinet: toText(describeApi(cabinetDefinition)),
  };
}

const toText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
