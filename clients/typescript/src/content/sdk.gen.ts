// Generated from the OpenAPI description by `npm run client:generate`. Do not edit.

import { client } from './client.gen.ts';
import type { Client, ClientMeta, Options as Options2, RequestResult, TDataShape } from './client/index.ts';
import type { BatchItemsData, BatchItemsErrors, BatchItemsResponses, DeleteItemData, DeleteItemErrors, DeleteItemResponses, DeleteUserData, DeleteUserErrors, DeleteUserResponses, GetDescriptionData, GetDescriptionErrors, GetDescriptionResponses, GetHealthData, GetHealthErrors, GetHealthResponses, GetItemData, GetItemErrors, GetItemResponses, GetProfileData, GetProfileErrors, GetProfileResponses, LinkUserData, LinkUserErrors, LinkUserResponses, ListEventTypesData, ListEventTypesErrors, ListEventTypesResponses, ListItemsData, ListItemsErrors, ListItemsResponses, PatchItemData, PatchItemErrors, PatchItemResponses, PostEventsData, PostEventsErrors, PostEventsResponses, PostOrderData, PostOrderErrors, PostOrderResponses, PostOrdersData, PostOrdersErrors, PostOrdersResponses, PutItemData, PutItemErrors, PutItemResponses, RecommendFeedData, RecommendFeedErrors, RecommendFeedResponses, RecommendNextData, RecommendNextErrors, RecommendNextResponses, RecommendPopularData, RecommendPopularErrors, RecommendPopularResponses, RecommendSimilarData, RecommendSimilarErrors, RecommendSimilarResponses, RecommendTogetherData, RecommendTogetherErrors, RecommendTogetherResponses, ReprocessItemData, ReprocessItemErrors, ReprocessItemResponses, SearchData, SearchErrors, SearchResponses, SearchSuggestData, SearchSuggestErrors, SearchSuggestResponses, WriteProfileData, WriteProfileErrors, WriteProfileResponses, WriteProfilesData, WriteProfilesErrors, WriteProfilesResponses } from './types.gen.ts';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

class HeyApiClient {
    protected client: Client;
    
    constructor(args?: {
        client?: Client;
    }) {
        this.client = args?.client ?? client;
    }
}

class HeyApiRegistry<T> {
    private readonly defaultKey = 'default';
    
    private readonly instances: Map<string, T> = new Map();
    
    get(key?: string): T {
        const instance = this.instances.get(key ?? this.defaultKey);
        if (!instance) {
            throw new Error(`No SDK client found. Create one with "new AttuneContent()" to fix this error.`);
        }
        return instance;
    }
    
    set(value: T, key?: string): void {
        this.instances.set(key ?? this.defaultKey, value);
    }
}

export class AttuneContent extends HeyApiClient {
    public static readonly __registry: HeyApiRegistry<AttuneContent> = new HeyApiRegistry<AttuneContent>();
    
    constructor(args?: {
        client?: Client;
        key?: string;
    }) {
        super(args);
        AttuneContent.__registry.set(this, args?.key);
    }
    
    /**
     * Удалить объект
     *
     * Мягкое удаление: объект уходит из выдачи и поиска, результаты анализа остаются. Повтор отвечает тем же.
     */
    public deleteItem<ThrowOnError extends boolean = true>(options: Options<DeleteItemData, ThrowOnError>): RequestResult<DeleteItemResponses, DeleteItemErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteItemResponses, DeleteItemErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/items/{id}',
            ...options
        });
    }
    
    /**
     * Прочитать объект и результаты анализа
     *
     * Удалённый объект возвращается с deleted=true.
     */
    public getItem<ThrowOnError extends boolean = true>(options: Options<GetItemData, ThrowOnError>): RequestResult<GetItemResponses, GetItemErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetItemResponses, GetItemErrors, ThrowOnError>({
            querySerializer: { parameters: { include: { array: { explode: false } } } },
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/items/{id}',
            ...options
        });
    }
    
    /**
     * Изменить переданные поля объекта
     *
     * null очищает поле; media передаётся целиком. Тип не меняется, удаление не снимается.
     */
    public patchItem<ThrowOnError extends boolean = true>(options: Options<PatchItemData, ThrowOnError>): RequestResult<PatchItemResponses, PatchItemErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchItemResponses, PatchItemErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/items/{id}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Создать объект или заменить его целиком
     *
     * Идемпотентно: повтор того же тела ничего не меняет. Непереданные поля очищаются. Снимает удаление.
     */
    public putItem<ThrowOnError extends boolean = true>(options: Options<PutItemData, ThrowOnError>): RequestResult<PutItemResponses, PutItemErrors, ThrowOnError> {
        return (options.client ?? this.client).put<PutItemResponses, PutItemErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/items/{id}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Повторить анализ объекта
     *
     * Пересчитываются названные шаги и всё, что от них зависит; без steps — всё, включая подготовку медиа.
     */
    public reprocessItem<ThrowOnError extends boolean = true>(options: Options<ReprocessItemData, ThrowOnError>): RequestResult<ReprocessItemResponses, ReprocessItemErrors, ThrowOnError> {
        return (options.client ?? this.client).post<ReprocessItemResponses, ReprocessItemErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/items/{id}/reprocess',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Записать или пересчитать до 500 объектов
     *
     * Операции выполняются по порядку и независимо: ошибка одной не отменяет других и видна в её результате. Неверная форма самого пакета — 422 на весь запрос. Объекты пакета анализируются после тех, что записаны по одному.
     */
    public batchItems<ThrowOnError extends boolean = true>(options: Options<BatchItemsData, ThrowOnError>): RequestResult<BatchItemsResponses, BatchItemsErrors, ThrowOnError> {
        return (options.client ?? this.client).post<BatchItemsResponses, BatchItemsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/items/batch',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Объекты в порядке изменения
     *
     * По возрастанию updated_at, удалённые тоже. Он обновляется при изменении объекта, при смене статуса и по завершении шагов speech, vision, summary, embedding. Объект, изменённый во время обхода, встретится ещё раз на следующих страницах. Чтобы следить за изменениями, продолжайте с updated_since, равным последнему увиденному updated_at: так не пропадёт ни одно. С ids — названные объекты, какими они стали к этому моменту, одной страницей; неизвестных в ответе нет.
     */
    public listItems<ThrowOnError extends boolean = true>(options?: Options<ListItemsData, ThrowOnError>): RequestResult<ListItemsResponses, ListItemsErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListItemsResponses, ListItemsErrors, ThrowOnError>({
            querySerializer: { parameters: { ids: { array: { explode: false } } } },
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/items',
            ...options
        });
    }
    
    /**
     * Типы событий проекта, отключённые тоже
     */
    public listEventTypes<ThrowOnError extends boolean = true>(options?: Options<ListEventTypesData, ThrowOnError>): RequestResult<ListEventTypesResponses, ListEventTypesErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListEventTypesResponses, ListEventTypesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/event-types',
            ...options
        });
    }
    
    /**
     * Передать события взаимодействия
     *
     * До 1000 событий. Отклонённые перечислены в rejected и не мешают остальным; повтор запроса безопасен.
     */
    public postEvents<ThrowOnError extends boolean = true>(options: Options<PostEventsData, ThrowOnError>): RequestResult<PostEventsResponses, PostEventsErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostEventsResponses, PostEventsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/events',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Принять заказ
     *
     * Повтор с тем же order_id заменяет состав; status cancelled снимает вклад всего заказа. Строки становятся событиями типа с признаком покупки. Товар вне каталога с title создаёт недоступный объект, без title строка отклоняется.
     */
    public postOrder<ThrowOnError extends boolean = true>(options: Options<PostOrderData, ThrowOnError>): RequestResult<PostOrderResponses, PostOrderErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostOrderResponses, PostOrderErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/orders',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Принять пакет заказов
     *
     * Заказы обрабатываются по порядку и независимо: ошибка одного не отменяет остальных. Годится и для переноса истории: даты до 730 дней назад.
     */
    public postOrders<ThrowOnError extends boolean = true>(options: Options<PostOrdersData, ThrowOnError>): RequestResult<PostOrdersResponses, PostOrdersErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostOrdersResponses, PostOrdersErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/orders/batch',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Связать анонимную историю с учётной записью
     *
     * История и данные профиля анонимного посетителя переходят к user_id; заполненные поля профиля учётной записи не меняются. Посетитель находится по anonymous_id, иначе по подтверждённому и не спорному fingerprint_uuid. Повтор безопасен.
     */
    public linkUser<ThrowOnError extends boolean = true>(options: Options<LinkUserData, ThrowOnError>): RequestResult<LinkUserResponses, LinkUserErrors, ThrowOnError> {
        return (options.client ?? this.client).post<LinkUserResponses, LinkUserErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/users/link',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Прочитать профиль
     *
     * Нужен хотя бы один идентификатор; user_id важнее anonymous_id, тот важнее fingerprint_uuid. Чтение никого не создаёт и не узнаёт. По анонимному идентификатору отдаётся его собственный профиль, а если его нет — профиль учётной записи, с которой он связан.
     */
    public getProfile<ThrowOnError extends boolean = true>(options?: Options<GetProfileData, ThrowOnError>): RequestResult<GetProfileResponses, GetProfileErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetProfileResponses, GetProfileErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/users/profile',
            ...options
        });
    }
    
    /**
     * Изменить переданные поля профиля
     *
     * null очищает поле. Без user_id пишется анонимный профиль, даже если устройство связано с учётной записью.
     */
    public writeProfile<ThrowOnError extends boolean = true>(options: Options<WriteProfileData, ThrowOnError>): RequestResult<WriteProfileResponses, WriteProfileErrors, ThrowOnError> {
        return (options.client ?? this.client).post<WriteProfileResponses, WriteProfileErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/users/profile',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Изменить до 500 профилей
     *
     * Профили независимы: ошибка в одном не отменяет остальных. Несколько изменений одного пользователя применяются по порядку.
     */
    public writeProfiles<ThrowOnError extends boolean = true>(options: Options<WriteProfilesData, ThrowOnError>): RequestResult<WriteProfilesResponses, WriteProfilesErrors, ThrowOnError> {
        return (options.client ?? this.client).post<WriteProfilesResponses, WriteProfilesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/users/profile/batch',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Удалить данные о пользователе
     *
     * Сразу после ответа недоступны идентификаторы, входы с устройств, события, заказы и профиль, в том числе связанных устройств. Удаляется всё, что называет любой из идентификаторов; по анонимному идентификатору связанного устройства — его учётная запись. Статистика объектов остаётся обезличенной.
     */
    public deleteUser<ThrowOnError extends boolean = true>(options: Options<DeleteUserData, ThrowOnError>): RequestResult<DeleteUserResponses, DeleteUserErrors, ThrowOnError> {
        return (options.client ?? this.client).post<DeleteUserResponses, DeleteUserErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/users/delete',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Лента пользователя
     *
     * Что показать этому пользователю: по его событиям, заказам, интересам и авторам, на которых он подписан. Принятое событие учитывается в следующем же запросе. О ком ничего не известно, тому — популярное и новое. Меньше limit — верный ответ: выдача не дополняется тем, что нарушает правила.
     */
    public recommendFeed<ThrowOnError extends boolean = true>(options: Options<RecommendFeedData, ThrowOnError>): RequestResult<RecommendFeedResponses, RecommendFeedErrors, ThrowOnError> {
        return (options.client ?? this.client).post<RecommendFeedResponses, RecommendFeedErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/recommendations/feed',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Что смотреть дальше
     *
     * Что показать после объекта (item) или после сессии (items) — ровно одно из двух; самих этих объектов в ответе нет. Пользователь не обязателен. Удалённый или недоступный объект отвечает по-прежнему; объекта, которого никогда не было, — 404.
     */
    public recommendNext<ThrowOnError extends boolean = true>(options: Options<RecommendNextData, ThrowOnError>): RequestResult<RecommendNextResponses, RecommendNextErrors, ThrowOnError> {
        return (options.client ?? this.client).post<RecommendNextResponses, RecommendNextErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/recommendations/next',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * С этим покупают
     *
     * Что покупают или используют вместе с объектами корзины: по заказам, а где их мало — близкое по содержанию. Самих этих объектов в ответе нет. Удалённый или недоступный объект отвечает по-прежнему; объекта, которого никогда не было, — 404.
     */
    public recommendTogether<ThrowOnError extends boolean = true>(options: Options<RecommendTogetherData, ThrowOnError>): RequestResult<RecommendTogetherResponses, RecommendTogetherErrors, ThrowOnError> {
        return (options.client ?? this.client).post<RecommendTogetherResponses, RecommendTogetherErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/recommendations/together',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Популярное
     *
     * Что популярно за период или растёт, везде или в регионе. Каждый пользователь считается за день один раз — по самому весомому своему событию с объектом; показы и отрицательные веса не считаются, удалённые пользователи вычитаются. За тем, что подходит под вопрос, следует популярное везде, затем новое; причина каждого объекта названа.
     */
    public recommendPopular<ThrowOnError extends boolean = true>(options: Options<RecommendPopularData, ThrowOnError>): RequestResult<RecommendPopularResponses, RecommendPopularErrors, ThrowOnError> {
        return (options.client ?? this.client).post<RecommendPopularResponses, RecommendPopularErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/recommendations/popular',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Похожие объекты
     *
     * Объекты, близкие к названному по содержанию. Меньше limit — верный ответ: выдача не дополняется тем, что нарушает правила. Удалённый или недоступный объект отвечает по-прежнему; объекта, которого никогда не было, — 404.
     */
    public recommendSimilar<ThrowOnError extends boolean = true>(options: Options<RecommendSimilarData, ThrowOnError>): RequestResult<RecommendSimilarResponses, RecommendSimilarErrors, ThrowOnError> {
        return (options.client ?? this.client).post<RecommendSimilarResponses, RecommendSimilarErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/recommendations/similar',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Поиск по каталогу
     *
     * Находит объекты по словам и по смыслу. total и facets считают ровно то, что покажут страницы. Русский и английский вместе: формы слов, ё и е, другая раскладка, транслитерация, опечатки, синонимы проекта.
     */
    public search<ThrowOnError extends boolean = true>(options: Options<SearchData, ThrowOnError>): RequestResult<SearchResponses, SearchErrors, ThrowOnError> {
        return (options.client ?? this.client).post<SearchResponses, SearchErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/search',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Подсказки к набираемому запросу
     *
     * Каждая подсказка, если искать её с теми же правилами, находит хотя бы один объект.
     */
    public searchSuggest<ThrowOnError extends boolean = true>(options: Options<SearchSuggestData, ThrowOnError>): RequestResult<SearchSuggestResponses, SearchSuggestErrors, ThrowOnError> {
        return (options.client ?? this.client).post<SearchSuggestResponses, SearchSuggestErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/search/suggest',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Состояние сервиса
     *
     * degraded: база данных недоступна, анализ не запускается или его очередь перегружена.
     */
    public getHealth<ThrowOnError extends boolean = true>(options?: Options<GetHealthData, ThrowOnError>): RequestResult<GetHealthResponses, GetHealthErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetHealthResponses, GetHealthErrors, ThrowOnError>({ url: '/health', ...options });
    }
    
    /**
     * Описание этого API в формате OpenAPI 3.1
     */
    public getDescription<ThrowOnError extends boolean = true>(options?: Options<GetDescriptionData, ThrowOnError>): RequestResult<GetDescriptionResponses, GetDescriptionErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetDescriptionResponses, GetDescriptionErrors, ThrowOnError>({ url: '/openapi.json', ...options });
    }
}
