/** The content API: its operations, keys and limits. */
import type { ProjectAuthentication, ProjectCaller } from './auth/projectKey.ts';
import { BODY_LIMITS } from './http/requestBody.ts';
import type { Api, ApiDescription, ApiDefinition } from './http/operations/apiDefinition.ts';
import { assembleApi } from './http/operations/assembleApi.ts';
import { RUSSIAN } from './http/errorMessages.ts';
import type { ContentDeps } from './content/contentOperation.ts';
import { postEventsOperation } from './content/events/events.ts';
import { listEventTypesOperation } from './content/events/eventTypes.ts';
import { limitOf } from './content/keyLimits.ts';
import { batchItemsOperation } from './content/items/itemBatch.ts';
import { listItemsOperation } from './content/items/itemList.ts';
import { getItemOperation } from './content/items/itemRead.ts';
import {
  deleteItemOperation,
  patchItemOperation,
  putItemOperation,
  reprocessItemOperation,
} from './content/items/itemWrite.ts';
import { postOrderOperation, postOrdersOperation } from './content/orders/orders.ts';
import { getProfileOperation, writeProfileOperation, writeProfilesOperation } from './content/users/profile.ts';
import { outputOperations } from './content/output/outputOperations.ts';
import { describeOperation, healthOperation } from './content/healthAndOpenapi.ts';
import { deleteUserOperation } from './content/users/userDelete.ts';
import { linkUserOperation } from './content/users/userLink.ts';

export const contentDescription: ApiDescription = {
  title: 'Attune: анализ контента и рекомендации',
  version: '1',
  description:
    'Объекты каталога с автоматическим анализом. JSON в UTF-8; время — ISO-8601 с Z или смещением; каждый ответ несёт X-Request-ID.',
  basePath: '/content/api/v1',
  security: { name: 'projectKey', description: 'Ключ проекта: `Authorization: Bearer ck_…`' },
  tags: [
    { name: 'items', description: 'Объекты каталога и результаты анализа' },
    { name: 'events', description: 'События взаимодействия и их типы' },
    { name: 'orders', description: 'Заказы и их строки' },
    { name: 'users', description: 'Связывание, профили и удаление пользователей' },
    { name: 'recommendations', description: 'Рекомендации' },
    { name: 'search', description: 'Поиск и подсказки' },
    { name: 'service', description: 'Состояние сервиса' },
  ],
};

export const contentOperations = [
  getItemOperation,
  putItemOperation,
  patchItemOperation,
  deleteItemOperation,
  reprocessItemOperation,
  batchItemsOperation,
  listItemsOperation,
  listEventTypesOperation,
  postEventsOperation,
  postOrderOperation,
  postOrdersOperation,
  linkUserOperation,
  getProfileOperation,
  writeProfileOperation,
  writeProfilesOperation,
  deleteUserOperation,
  ...outputOperations,
];
export const contentPublicOperations = [healthOperation, describeOperation];

export const contentDefinition: ApiDefinition<ProjectCaller, ContentDeps> = {
  description: contentDescription,
  texts: RUSSIAN,
  hostPath: '/api/v1',
  operations: contentOperations,
  publicOperations: contentPublicOperations,
  maxBodyBytes: BODY_LIMITS.maxBytes,
  oversizedBatch: 'payload_too_large',
};

export type ContentApiDeps = Omit<ContentDeps, 'describe'> & Pick<ProjectAuthentication, 'authenticate'>;

export function createContentApi(
  { authenticate, ...deps }: ContentApiDeps,
  host: string | null,
): Api<ProjectCaller, ContentDeps> {
  return assembleApi(contentDefinition, {
    host,
    deps,
    authenticate,
    limitOf,
  });
}
