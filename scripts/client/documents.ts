/** The OpenAPI documents as the running service describes itself, without a server. */
import { cabinetDescription, cabinetOperations, cabinetPublicOperations } from '../../api/cabinet/api.ts';
import { contentDescription, contentOperations, contentPublicOperations } from '../../api/content/api.ts';
import { describeApi } from '../../api/http/openapi.ts';
import { RUSSIAN } from '../../api/http/texts.ts';

export type ApiName = 'content' | 'cabinet';

/** By the name of the API, as JSON text. */
export function describeApis(): Record<ApiName, string> {
  return {
    content: toText(describeApi({ description: contentDescription, texts: RUSSIAN, operations: contentOperations, publicOperations: contentPublicOperations })),
    cabinet: toText(describeApi({ description: cabinetDescription, texts: RUSSIAN, operations: cabinetOperations, publicOperations: cabinetPublicOperations })),
  };
}

const toText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
