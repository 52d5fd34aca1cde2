/** The content API: its operations, keys and limits. */
import type { ProjectAuthentication, ProjectCaller } from '../auth/projectKey.ts';
import type { Api, ApiDescription, ApiSurface } from '../http/api.ts';
import { assembleApi } from '../http/assembleApi.ts';
import { RUSSIAN } from '../http/errorMessages.ts';
import type { ContentDeps } from './contentOperation.ts';
import { postEventsOperation } from './events.ts';
import { listEventTypesOperation } from './eventTypes.ts';
import { limitOf } from './keyLimits.ts';
import { batchItemsOperation } from './itemBatch.ts';
import { listItemsOperation } from './itemList.ts';
import { getItemOperation } from './itemRead.ts';
import { deleteItemOperation, patchItemOperation, putItemOperation, reprocessItemOperation } from './itemWrite.ts';
import { postOrderOperation, postOrdersOperation } from './orders.ts';
import { getProfileOperation, writeProfileOperation, writeProfilesOperation } from './profile.ts';
import { feedOperation } from './recommendFeed.ts';
import { nextOperation } from './recommendNext.ts';
import { popularOperation } from './recommendPopular.ts';
import { similarOperation } from './recommendSimilar.ts';
import { togetherOperation } from './recommendTogether.ts';
import { searchOperation, suggestOperation } from './search.ts';
import { describeOperation, healthOperation } from './healthAndOpenapi.ts';
import { deleteUserOperation } from './userDelete.ts';
import { linkUserOperation } from './userLink.ts';

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
  feedOperation,
  nextOperation,
  togetherOperation,
  popularOperation,
  similarOperation,
  searchOperation,
  suggestOperation,
];
export const contentPublicOperations = [healthOperation, describeOperation];

export const contentSurface: ApiSurface<ProjectCaller, ContentDeps> = {
  description: contentDescription,
  texts: RUSSIAN,
  hostPath: '/api/v1',
  operations: contentOperations,
  publicOperations: contentPublicOperations,
  maxBodyBytes: 5 * 1024 * 1024,
  oversizedBatch: 'payload_too_large',
};

export type ContentApiDeps = Omit<ContentDeps, 'describe'> & Pick<ProjectAuthentication, 'authenticate'>;

export function createContentApi(
  { authenticate, ...deps }: ContentApiDeps,
  host: string | null,
): Api<ProjectCaller, ContentDeps> {
  return assembleApi(contentSurface, {
    host,
    deps,
    authenticate,
    limitOf,
  });
}
