// Generated from the OpenAPI description by `npm run client:generate`. Do not edit.

import { client } from './client.gen.ts';
import type { Client, ClientMeta, Options as Options2, RequestResult, TDataShape } from './client/index.ts';
import type { AcceptInvitationData, AcceptInvitationErrors, AcceptInvitationResponses, CancelRerunData, CancelRerunErrors, CancelRerunResponses, ChangePasswordData, ChangePasswordErrors, ChangePasswordResponses, CheckProvidersData, CheckProvidersErrors, CheckProvidersResponses, ConfirmSecondFactorData, ConfirmSecondFactorErrors, ConfirmSecondFactorResponses, CreateExportData, CreateExportErrors, CreateExportResponses, CreateImportData, CreateImportErrors, CreateImportResponses, CreateInvitationData, CreateInvitationErrors, CreateInvitationResponses, CreateMapLinkData, CreateMapLinkErrors, CreateMapLinkResponses, CreateProjectData, CreateProjectErrors, CreateProjectKeyData, CreateProjectKeyErrors, CreateProjectKeyResponses, CreateProjectResponses, CreateRerunData, CreateRerunErrors, CreateRerunResponses, CreateSavedReportData, CreateSavedReportErrors, CreateSavedReportResponses, CreateSegmentData, CreateSegmentErrors, CreateSegmentResponses, CreateSignInLinkData, CreateSignInLinkErrors, CreateSignInLinkResponses, CreateSiteData, CreateSiteErrors, CreateSiteKeyData, CreateSiteKeyErrors, CreateSiteKeyResponses, CreateSiteResponses, CreateTokenData, CreateTokenErrors, CreateTokenResponses, CreateUserData, CreateUserErrors, CreateUserResponses, CreateWebhookData, CreateWebhookErrors, CreateWebhookResponses, DeleteGoalData, DeleteGoalErrors, DeleteGoalResponses, DeleteProjectItemData, DeleteProjectItemErrors, DeleteProjectItemResponses, DeleteProjectUserData, DeleteProjectUserErrors, DeleteProjectUserResponses, DeleteRecordingData, DeleteRecordingErrors, DeleteRecordingResponses, DeleteSavedReportData, DeleteSavedReportErrors, DeleteSavedReportResponses, DeleteSegmentData, DeleteSegmentErrors, DeleteSegmentResponses, DeleteSiteUserData, DeleteSiteUserErrors, DeleteSiteUserResponses, DeleteSurfaceData, DeleteSurfaceErrors, DeleteSurfaceResponses, DeleteUserData, DeleteUserErrors, DeleteUserResponses, DeleteVisitorData, DeleteVisitorErrors, DeleteVisitorResponses, DeleteWebhookData, DeleteWebhookErrors, DeleteWebhookResponses, EndSessionData, EndSessionErrors, EndSessionResponses, FindObstaclesData, FindObstaclesErrors, FindObstaclesResponses, GetClicksData, GetClicksErrors, GetClicksResponses, GetDeliveryData, GetDeliveryErrors, GetDeliveryResponses, GetDescriptionData, GetDescriptionErrors, GetDescriptionResponses, GetExportData, GetExportErrors, GetExportResponses, GetImportData, GetImportErrors, GetImportResponses, GetInstallationData, GetInstallationErrors, GetInstallationResponses, GetItemStatisticsData, GetItemStatisticsErrors, GetItemStatisticsResponses, GetMeData, GetMeErrors, GetMeResponses, GetPipelineData, GetPipelineErrors, GetPipelineResponses, GetProjectData, GetProjectErrors, GetProjectItemData, GetProjectItemErrors, GetProjectItemResponses, GetProjectResponses, GetProjectUserData, GetProjectUserErrors, GetProjectUserResponses, GetRealtimeData, GetRealtimeErrors, GetRealtimeResponses, GetRecordingChunkData, GetRecordingChunkErrors, GetRecordingChunkResponses, GetRecordingChunksData, GetRecordingChunksErrors, GetRecordingChunksResponses, GetRecordingData, GetRecordingErrors, GetRecordingResponses, GetRecordingTimelineData, GetRecordingTimelineErrors, GetRecordingTimelineResponses, GetRecoveryData, GetRecoveryErrors, GetRecoveryResponses, GetReportFieldsData, GetReportFieldsErrors, GetReportFieldsResponses, GetRerunData, GetRerunErrors, GetRerunResponses, GetSavedReportData, GetSavedReportErrors, GetSavedReportResponses, GetScrollsData, GetScrollsErrors, GetScrollsResponses, GetSecondFactorData, GetSecondFactorErrors, GetSecondFactorResponses, GetSiteData, GetSiteErrors, GetSiteResponses, GetSiteStatusData, GetSiteStatusErrors, GetSiteStatusResponses, GetSiteTagData, GetSiteTagErrors, GetSiteTagResponses, GetSurfaceData, GetSurfaceErrors, GetSurfaceResponses, GetSynonymsData, GetSynonymsErrors, GetSynonymsResponses, GetTroublesData, GetTroublesErrors, GetTroublesResponses, GetUsageData, GetUsageErrors, GetUsageResponses, GetVisitorData, GetVisitorErrors, GetVisitorResponses, GetWebhookData, GetWebhookErrors, GetWebhookResponses, GetWebhookStatisticsData, GetWebhookStatisticsErrors, GetWebhookStatisticsResponses, ListAuditData, ListAuditErrors, ListAuditResponses, ListDeliveriesData, ListDeliveriesErrors, ListDeliveriesResponses, ListExportsData, ListExportsErrors, ListExportsResponses, ListGoalsData, ListGoalsErrors, ListGoalsResponses, ListImportsData, ListImportsErrors, ListImportsResponses, ListItemDeliveriesData, ListItemDeliveriesErrors, ListItemDeliveriesResponses, ListLatestProjectEventsData, ListLatestProjectEventsErrors, ListLatestProjectEventsResponses, ListModelsData, ListModelsErrors, ListModelsResponses, ListProjectEventsData, ListProjectEventsErrors, ListProjectEventsResponses, ListProjectEventTypesData, ListProjectEventTypesErrors, ListProjectEventTypesResponses, ListProjectItemsData, ListProjectItemsErrors, ListProjectItemsResponses, ListProjectKeysData, ListProjectKeysErrors, ListProjectKeysResponses, ListProjectsData, ListProjectsErrors, ListProjectsResponses, ListPropertiesData, ListPropertiesErrors, ListPropertiesResponses, ListProvidersData, ListProvidersErrors, ListProvidersResponses, ListRecordingsData, ListRecordingsErrors, ListRecordingsResponses, ListRecoveriesData, ListRecoveriesErrors, ListRecoveriesResponses, ListRerunsData, ListRerunsErrors, ListRerunsResponses, ListSavedReportsData, ListSavedReportsErrors, ListSavedReportsResponses, ListSegmentsData, ListSegmentsErrors, ListSegmentsResponses, ListSessionsData, ListSessionsErrors, ListSessionsResponses, ListSiteKeysData, ListSiteKeysErrors, ListSiteKeysResponses, ListSitesData, ListSitesErrors, ListSitesResponses, ListSurfacesData, ListSurfacesErrors, ListSurfacesResponses, ListTokensData, ListTokensErrors, ListTokensResponses, ListUsersData, ListUsersErrors, ListUsersResponses, ListVisitorsData, ListVisitorsErrors, ListVisitorsResponses, ListWebhookAlertsData, ListWebhookAlertsErrors, ListWebhookAlertsResponses, ListWebhooksData, ListWebhooksErrors, ListWebhooksResponses, LoginData, LoginErrors, LoginResponses, LogoutData, LogoutErrors, LogoutEverywhereData, LogoutEverywhereErrors, LogoutEverywhereResponses, LogoutResponses, LookUpCitiesData, LookUpCitiesErrors, LookUpCitiesResponses, LookUpCountriesData, LookUpCountriesErrors, LookUpCountriesResponses, LookUpInterestsData, LookUpInterestsErrors, LookUpInterestsResponses, LookUpPurchaseCategoriesData, LookUpPurchaseCategoriesErrors, LookUpPurchaseCategoriesResponses, LookUpRegionsData, LookUpRegionsErrors, LookUpRegionsResponses, PatchPreferencesData, PatchPreferencesErrors, PatchPreferencesResponses, PatchProjectData, PatchProjectErrors, PatchProjectItemData, PatchProjectItemErrors, PatchProjectItemResponses, PatchProjectResponses, PatchRecordingData, PatchRecordingErrors, PatchRecordingResponses, PatchSavedReportData, PatchSavedReportErrors, PatchSavedReportResponses, PatchSegmentData, PatchSegmentErrors, PatchSegmentResponses, PatchSiteData, PatchSiteErrors, PatchSiteResponses, PatchUserData, PatchUserErrors, PatchUserResponses, PatchWebhookData, PatchWebhookErrors, PatchWebhookResponses, PostReportBatchData, PostReportBatchErrors, PostReportBatchResponses, PostReportData, PostReportErrors, PostReportResponses, PreviewOutputData, PreviewOutputErrors, PreviewOutputResponses, PutEventTypeData, PutEventTypeErrors, PutEventTypeResponses, PutGoalData, PutGoalErrors, PutGoalResponses, PutProjectItemData, PutProjectItemErrors, PutProjectItemResponses, PutPropertyData, PutPropertyErrors, PutPropertyResponses, PutSurfaceData, PutSurfaceErrors, PutSurfaceResponses, PutSynonymsData, PutSynonymsErrors, PutSynonymsResponses, RecoverDeliveriesData, RecoverDeliveriesErrors, RecoverDeliveriesResponses, RemoveSecondFactorData, RemoveSecondFactorErrors, RemoveSecondFactorResponses, ReportOutputData, ReportOutputErrors, ReportOutputResponses, ReprocessProjectItemData, ReprocessProjectItemErrors, ReprocessProjectItemResponses, ResendDeliveryData, ResendDeliveryErrors, ResendDeliveryResponses, RevokeProjectKeyData, RevokeProjectKeyErrors, RevokeProjectKeyResponses, RevokeSiteKeyData, RevokeSiteKeyErrors, RevokeSiteKeyResponses, RevokeTokenData, RevokeTokenErrors, RevokeTokenResponses, RotateWebhookSecretData, RotateWebhookSecretErrors, RotateWebhookSecretResponses, SignInData, SignInErrors, SignInResponses, StartSecondFactorData, StartSecondFactorErrors, StartSecondFactorResponses, TestWebhookData, TestWebhookErrors, TestWebhookResponses, TrainModelData, TrainModelErrors, TrainModelResponses, TryGoalData, TryGoalErrors, TryGoalResponses } from './types.gen.ts';

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
            throw new Error(`No SDK client found. Create one with "new AttuneCabinet()" to fix this error.`);
        }
        return instance;
    }
    
    set(value: T, key?: string): void {
        this.instances.set(key ?? this.defaultKey, value);
    }
}

export class AttuneCabinet extends HeyApiClient {
    public static readonly __registry: HeyApiRegistry<AttuneCabinet> = new HeyApiRegistry<AttuneCabinet>();
    
    constructor(args?: {
        client?: Client;
        key?: string;
    }) {
        super(args);
        AttuneCabinet.__registry.set(this, args?.key);
    }
    
    /**
     * Найти интерес
     *
     * По названию на любом языке кабинета, другому названию или коду: сначала те, что так начинаются, затем те, где это есть.
     */
    public lookUpInterests<ThrowOnError extends boolean = true>(options?: Options<LookUpInterestsData, ThrowOnError>): RequestResult<LookUpInterestsResponses, LookUpInterestsErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<LookUpInterestsResponses, LookUpInterestsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/dictionaries/interests',
            ...options
        });
    }
    
    /**
     * Найти раздел покупок
     *
     * По названию на любом языке кабинета, другому названию или коду: сначала те, что так начинаются, затем те, где это есть.
     */
    public lookUpPurchaseCategories<ThrowOnError extends boolean = true>(options?: Options<LookUpPurchaseCategoriesData, ThrowOnError>): RequestResult<LookUpPurchaseCategoriesResponses, LookUpPurchaseCategoriesErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<LookUpPurchaseCategoriesResponses, LookUpPurchaseCategoriesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/dictionaries/purchase-categories',
            ...options
        });
    }
    
    /**
     * Найти страну
     *
     * По названию на любом языке кабинета, другому названию или коду: сначала те, что так начинаются, затем те, где это есть.
     */
    public lookUpCountries<ThrowOnError extends boolean = true>(options?: Options<LookUpCountriesData, ThrowOnError>): RequestResult<LookUpCountriesResponses, LookUpCountriesErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<LookUpCountriesResponses, LookUpCountriesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/dictionaries/countries',
            ...options
        });
    }
    
    /**
     * Найти регион
     *
     * По названию на любом языке кабинета, другому названию или коду: сначала те, что так начинаются, затем те, где это есть.
     */
    public lookUpRegions<ThrowOnError extends boolean = true>(options?: Options<LookUpRegionsData, ThrowOnError>): RequestResult<LookUpRegionsResponses, LookUpRegionsErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<LookUpRegionsResponses, LookUpRegionsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/dictionaries/regions',
            ...options
        });
    }
    
    /**
     * Найти город
     *
     * По названию на любом языке кабинета, другому названию или коду: сначала те, что так начинаются, затем те, где это есть.
     */
    public lookUpCities<ThrowOnError extends boolean = true>(options?: Options<LookUpCitiesData, ThrowOnError>): RequestResult<LookUpCitiesResponses, LookUpCitiesErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<LookUpCitiesResponses, LookUpCitiesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/dictionaries/cities',
            ...options
        });
    }
    
    /**
     * Кто вошёл
     */
    public getMe<ThrowOnError extends boolean = true>(options?: Options<GetMeData, ThrowOnError>): RequestResult<GetMeResponses, GetMeErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetMeResponses, GetMeErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/me',
            ...options
        });
    }
    
    /**
     * Сменить свой пароль
     *
     * Завершает все сессии пользователя; сессия этого запроса заменяется новой. Токену установки отвечает 404: у него нет пароля.
     */
    public changePassword<ThrowOnError extends boolean = true>(options: Options<ChangePasswordData, ThrowOnError>): RequestResult<ChangePasswordResponses, ChangePasswordErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<ChangePasswordResponses, ChangePasswordErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/me',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Выбрать язык и тему кабинета
     *
     * Хранится у пользователя, поэтому действует в любом браузере; null возвращает выбор браузеру. Токену установки отвечает 404: он ничей.
     */
    public patchPreferences<ThrowOnError extends boolean = true>(options: Options<PatchPreferencesData, ThrowOnError>): RequestResult<PatchPreferencesResponses, PatchPreferencesErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchPreferencesResponses, PatchPreferencesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/me/preferences',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Выйти
     *
     * Завершает сессию этого запроса. Токен от этого не перестаёт действовать.
     */
    public logout<ThrowOnError extends boolean = true>(options?: Options<LogoutData, ThrowOnError>): RequestResult<LogoutResponses, LogoutErrors, ThrowOnError> {
        return (options?.client ?? this.client).post<LogoutResponses, LogoutErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/logout',
            ...options
        });
    }
    
    /**
     * Выйти на всех устройствах
     *
     * Завершает все сессии пользователя. Ключи проектов и токены продолжают действовать.
     */
    public logoutEverywhere<ThrowOnError extends boolean = true>(options?: Options<LogoutEverywhereData, ThrowOnError>): RequestResult<LogoutEverywhereResponses, LogoutEverywhereErrors, ThrowOnError> {
        return (options?.client ?? this.client).post<LogoutEverywhereResponses, LogoutEverywhereErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/logout-everywhere',
            ...options
        });
    }
    
    /**
     * Свои сессии, которые действуют
     *
     * Токену установки отвечает 404: сессии — у пользователей.
     */
    public listSessions<ThrowOnError extends boolean = true>(options?: Options<ListSessionsData, ThrowOnError>): RequestResult<ListSessionsResponses, ListSessionsErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListSessionsResponses, ListSessionsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sessions',
            ...options
        });
    }
    
    /**
     * Завершить свою сессию
     *
     * Действует сразу. Завершённая и чужая сессия — 404.
     */
    public endSession<ThrowOnError extends boolean = true>(options: Options<EndSessionData, ThrowOnError>): RequestResult<EndSessionResponses, EndSessionErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<EndSessionResponses, EndSessionErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sessions/{id}',
            ...options
        });
    }
    
    /**
     * Включён ли второй фактор
     *
     * Токену установки отвечает 404: второй фактор — у пользователей.
     */
    public getSecondFactor<ThrowOnError extends boolean = true>(options?: Options<GetSecondFactorData, ThrowOnError>): RequestResult<GetSecondFactorResponses, GetSecondFactorErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetSecondFactorResponses, GetSecondFactorErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/me/totp',
            ...options
        });
    }
    
    /**
     * Начать подключение второго фактора
     *
     * Даёт секрет для приложения-аутентификатора (TOTP, RFC 6238). Действовать начнёт после POST /me/totp/confirm. Если второй фактор уже включён — 422: сначала отключите его.
     */
    public startSecondFactor<ThrowOnError extends boolean = true>(options: Options<StartSecondFactorData, ThrowOnError>): RequestResult<StartSecondFactorResponses, StartSecondFactorErrors, ThrowOnError> {
        return (options.client ?? this.client).post<StartSecondFactorResponses, StartSecondFactorErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/me/totp',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Включить второй фактор
     *
     * Кодом из приложения. Дальше вход просит код; каждый код — один раз. Резервные коды показываются один раз, каждый заменяет код из приложения однажды.
     */
    public confirmSecondFactor<ThrowOnError extends boolean = true>(options: Options<ConfirmSecondFactorData, ThrowOnError>): RequestResult<ConfirmSecondFactorResponses, ConfirmSecondFactorErrors, ThrowOnError> {
        return (options.client ?? this.client).post<ConfirmSecondFactorResponses, ConfirmSecondFactorErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/me/totp/confirm',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Отключить второй фактор
     *
     * Паролем и кодом (или резервным кодом). Кто потерял и то и другое, того впускает администратор установки.
     */
    public removeSecondFactor<ThrowOnError extends boolean = true>(options: Options<RemoveSecondFactorData, ThrowOnError>): RequestResult<RemoveSecondFactorResponses, RemoveSecondFactorErrors, ThrowOnError> {
        return (options.client ?? this.client).post<RemoveSecondFactorResponses, RemoveSecondFactorErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/me/totp/remove',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Свои токены, отозванные тоже
     *
     * Токен действует от имени своего пользователя, с его ролью, проектами и сайтами. Токену установки принадлежат токены установки; для них нужна роль admin.
     */
    public listTokens<ThrowOnError extends boolean = true>(options?: Options<ListTokensData, ThrowOnError>): RequestResult<ListTokensResponses, ListTokensErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListTokensResponses, ListTokensErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/tokens',
            ...options
        });
    }
    
    /**
     * Выпустить токен
     *
     * Токен действует от имени своего пользователя, с его ролью, проектами и сайтами. Токену установки принадлежат токены установки; для них нужна роль admin. Не больше 100 действующих у пользователя. Срок — 90 дней, если не указан другой, до 365; выпущенный по токену кончается не позже этого токена.
     */
    public createToken<ThrowOnError extends boolean = true>(options: Options<CreateTokenData, ThrowOnError>): RequestResult<CreateTokenResponses, CreateTokenErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateTokenResponses, CreateTokenErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/tokens',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Отозвать свой токен
     *
     * Действует сразу и навсегда. Повтор отвечает тем же.
     */
    public revokeToken<ThrowOnError extends boolean = true>(options: Options<RevokeTokenData, ThrowOnError>): RequestResult<RevokeTokenResponses, RevokeTokenErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<RevokeTokenResponses, RevokeTokenErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/tokens/{id}',
            ...options
        });
    }
    
    /**
     * Пользователи
     *
     * Владелец видит тех наблюдателей, кому доступно что-то из его проектов и сайтов и ничего чужого.
     */
    public listUsers<ThrowOnError extends boolean = true>(options?: Options<ListUsersData, ThrowOnError>): RequestResult<ListUsersResponses, ListUsersErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListUsersResponses, ListUsersErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/users',
            ...options
        });
    }
    
    /**
     * Пригласить или добавить пользователя
     *
     * Без password — приглашение: учётная запись появится, когда приглашённый примет его (POST /invitations/accept) и задаст пароль; есть ли уже такой e-mail, ответ не говорит. С password — сразу; так может только администратор, и занятый e-mail — 422 invalid_value. Владелец приглашает только наблюдателей и только к своим проектам и сайтам; password от него — 422. У владельца не больше 200 проектов и 30 сайтов: больше — 422 too_long, и при смене роли тоже. Другое число сайтов даёт администратор: site_quota.
     */
    public createUser<ThrowOnError extends boolean = true>(options: Options<CreateUserData, ThrowOnError>): RequestResult<CreateUserResponses, CreateUserErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateUserResponses, CreateUserErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/users',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Удалить пользователя или отозвать приглашение
     *
     * Вместе с его сессиями и токенами. Проекты и сайты остаются.
     */
    public deleteUser<ThrowOnError extends boolean = true>(options: Options<DeleteUserData, ThrowOnError>): RequestResult<DeleteUserResponses, DeleteUserErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteUserResponses, DeleteUserErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/users/{id}',
            ...options
        });
    }
    
    /**
     * Изменить пользователя
     *
     * Действует сразу. Новый пароль завершает все сессии пользователя и отменяет приглашение задать пароль; задаёт его только администратор, от владельца — 422; state: blocked закрывает вход, сессии и токены. Если роль выше прежней или добавились проекты или сайты, сессии, токены, второй фактор, прежние пароль и приглашение больше не действуют: новый пароль — в этом же запросе или по приглашению из ответа. Менять e-mail может только администратор. Владелец не может оставить наблюдателя без проектов и сайтов: 422. Непринятое приглашение не меняется: 404. У владельца не больше 200 проектов и 30 сайтов: больше — 422 too_long, и при смене роли тоже. Другое число сайтов даёт администратор: site_quota.
     */
    public patchUser<ThrowOnError extends boolean = true>(options: Options<PatchUserData, ThrowOnError>): RequestResult<PatchUserResponses, PatchUserErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchUserResponses, PatchUserErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/users/{id}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Выпустить новое приглашение
     *
     * Вместо прежнего: непринятого или истёкшего. Существующему пользователю — чтобы задать новый пароль; до принятия действует прежний. Приглашение действует 7 дней и один раз.
     */
    public createInvitation<ThrowOnError extends boolean = true>(options: Options<CreateInvitationData, ThrowOnError>): RequestResult<CreateInvitationResponses, CreateInvitationErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateInvitationResponses, CreateInvitationErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/users/{id}/invitation',
            ...options
        });
    }
    
    /**
     * Сделать ссылку для входа без пароля
     *
     * Ссылка впускает названного пользователя один раз и действует 10 минут; прежняя его ссылка перестаёт действовать, а новый пароль прекращает и эту. Второй фактор спрашивается и по ней. Владелец делает ссылки только своим наблюдателям. Чужой, неизвестный и заблокированный пользователь — 404.
     */
    public createSignInLink<ThrowOnError extends boolean = true>(options: Options<CreateSignInLinkData, ThrowOnError>): RequestResult<CreateSignInLinkResponses, CreateSignInLinkErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateSignInLinkResponses, CreateSignInLinkErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sign-in-links',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Журнал изменений, новые первыми
     *
     * Кто, что, когда и откуда менял через это API, входы и неудачные входы тоже. Администратор видит всё; владелец — то, что касается его проектов и сайтов, и свои действия. Хранится AUDIT_DAYS дней (365).
     */
    public listAudit<ThrowOnError extends boolean = true>(options?: Options<ListAuditData, ThrowOnError>): RequestResult<ListAuditResponses, ListAuditErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListAuditResponses, ListAuditErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/audit',
            ...options
        });
    }
    
    /**
     * Проекты, доступные вызывающему
     */
    public listProjects<ThrowOnError extends boolean = true>(options?: Options<ListProjectsData, ThrowOnError>): RequestResult<ListProjectsResponses, ListProjectsErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListProjectsResponses, ListProjectsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects',
            ...options
        });
    }
    
    /**
     * Создать проект
     *
     * Проект принадлежит создавшему его владельцу. Проектов у владельца не больше 200: дальше 422 с invalid_value без поля.
     */
    public createProject<ThrowOnError extends boolean = true>(options: Options<CreateProjectData, ThrowOnError>): RequestResult<CreateProjectResponses, CreateProjectErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateProjectResponses, CreateProjectErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Проект
     */
    public getProject<ThrowOnError extends boolean = true>(options: Options<GetProjectData, ThrowOnError>): RequestResult<GetProjectResponses, GetProjectErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetProjectResponses, GetProjectErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}',
            ...options
        });
    }
    
    /**
     * Изменить проект
     *
     * Новое состояние и новые пределы действуют для ключей проекта сразу, в крайнем случае не позже чем через 5 секунд. Пределы, месячный объём и приостановку меняет только admin: владельцу 403. Сайт, с которым связан проект, должен быть виден вызывающему: иначе 422.
     */
    public patchProject<ThrowOnError extends boolean = true>(options: Options<PatchProjectData, ThrowOnError>): RequestResult<PatchProjectResponses, PatchProjectErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchProjectResponses, PatchProjectErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Ключи проекта, отозванные тоже
     */
    public listProjectKeys<ThrowOnError extends boolean = true>(options: Options<ListProjectKeysData, ThrowOnError>): RequestResult<ListProjectKeysResponses, ListProjectKeysErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListProjectKeysResponses, ListProjectKeysErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/keys',
            ...options
        });
    }
    
    /**
     * Выпустить ключ
     *
     * Не больше 20 действующих ключей у проекта: лимиты считаются по ключу.
     */
    public createProjectKey<ThrowOnError extends boolean = true>(options: Options<CreateProjectKeyData, ThrowOnError>): RequestResult<CreateProjectKeyResponses, CreateProjectKeyErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateProjectKeyResponses, CreateProjectKeyErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/keys',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Отозвать ключ
     *
     * Действует сразу, в крайнем случае не позже чем через 5 секунд, и навсегда. Повтор отвечает тем же.
     */
    public revokeProjectKey<ThrowOnError extends boolean = true>(options: Options<RevokeProjectKeyData, ThrowOnError>): RequestResult<RevokeProjectKeyResponses, RevokeProjectKeyErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<RevokeProjectKeyResponses, RevokeProjectKeyErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/keys/{key_id}',
            ...options
        });
    }
    
    /**
     * Типы событий проекта, отключённые тоже
     *
     * Все на одной странице: их не больше 100.
     */
    public listProjectEventTypes<ThrowOnError extends boolean = true>(options: Options<ListProjectEventTypesData, ThrowOnError>): RequestResult<ListProjectEventTypesResponses, ListProjectEventTypesErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListProjectEventTypesResponses, ListProjectEventTypesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/event-types',
            ...options
        });
    }
    
    /**
     * Создать тип события или заменить его целиком
     *
     * Действует сразу. Режим и признак показа меняются только до первого события типа; тип с признаком покупки — один в проекте. Типы не удаляются, а отключаются: is_active.
     */
    public putEventType<ThrowOnError extends boolean = true>(options: Options<PutEventTypeData, ThrowOnError>): RequestResult<PutEventTypeResponses, PutEventTypeErrors, ThrowOnError> {
        return (options.client ?? this.client).put<PutEventTypeResponses, PutEventTypeErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/event-types/{code}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * События пользователя или объекта, последние — первыми
     *
     * Нужен идентификатор пользователя, item или и то и другое. Видно то, что передал интегратор, и не более: события как они сохранены, отклонённые за последние сутки (из проекта — до 10 000), счётчики показов объекта и заказы пользователя. Об удалённых пользователях ничего нет.
     */
    public listProjectEvents<ThrowOnError extends boolean = true>(options: Options<ListProjectEventsData, ThrowOnError>): RequestResult<ListProjectEventsResponses, ListProjectEventsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListProjectEventsResponses, ListProjectEventsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/events',
            ...options
        });
    }
    
    /**
     * События, полученные последними, и отклонённые
     *
     * Чтобы смотреть, как события приходят. Показов здесь нет: они только считаются. Из max и state — то, что за последний час изменилось и действует сейчас, до 50 из одного запроса; все их показывает listProjectEvents. Отклонённые хранятся сутки, из проекта — до 10 000. Об удалённых пользователях ничего нет.
     */
    public listLatestProjectEvents<ThrowOnError extends boolean = true>(options: Options<ListLatestProjectEventsData, ThrowOnError>): RequestResult<ListLatestProjectEventsResponses, ListLatestProjectEventsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListLatestProjectEventsResponses, ListLatestProjectEventsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/events/latest',
            ...options
        });
    }
    
    /**
     * Удалить данные о человеке
     *
     * То же, что POST /users/delete в content API: события, заказы, профиль и все связанные устройства недоступны сразу, хранимое удаляется вслед за ответом. Статистика объектов остаётся обезличенной. Необратимо.
     */
    public deleteProjectUser<ThrowOnError extends boolean = true>(options: Options<DeleteProjectUserData, ThrowOnError>): RequestResult<DeleteProjectUserResponses, DeleteProjectUserErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteProjectUserResponses, DeleteProjectUserErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/users/{user_id}',
            ...options
        });
    }
    
    /**
     * Что известно о человеке
     *
     * По любому из его идентификаторов: что ещё ведёт к нему, профиль, сколько он сделал и что из этого учитывают рекомендации. Сами события — listProjectEvents. Кого не знают и кого удалили — 404.
     */
    public getProjectUser<ThrowOnError extends boolean = true>(options: Options<GetProjectUserData, ThrowOnError>): RequestResult<GetProjectUserResponses, GetProjectUserErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetProjectUserResponses, GetProjectUserErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/users/{user_id}',
            ...options
        });
    }
    
    /**
     * Описанные свойства объектов проекта
     *
     * Все на одной странице: их не больше 200.
     */
    public listProperties<ThrowOnError extends boolean = true>(options: Options<ListPropertiesData, ThrowOnError>): RequestResult<ListPropertiesResponses, ListPropertiesErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListPropertiesResponses, ListPropertiesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/properties',
            ...options
        });
    }
    
    /**
     * Описать свойство или изменить описание
     *
     * Действует на записи, которые придут после; уже сохранённые объекты не меняются. Имя — в кодировке URL.
     */
    public putProperty<ThrowOnError extends boolean = true>(options: Options<PutPropertyData, ThrowOnError>): RequestResult<PutPropertyResponses, PutPropertyErrors, ThrowOnError> {
        return (options.client ?? this.client).put<PutPropertyResponses, PutPropertyErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/properties/{name}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Места показа с их настройками
     *
     * Все на одной странице: их не больше 100. Место без настроек здесь не названо, запросам это не мешает.
     */
    public listSurfaces<ThrowOnError extends boolean = true>(options: Options<ListSurfacesData, ThrowOnError>): RequestResult<ListSurfacesResponses, ListSurfacesErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListSurfacesResponses, ListSurfacesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/surfaces',
            ...options
        });
    }
    
    /**
     * Убрать настройки места показа
     *
     * Запросы, которые его называют, отвечают как без настроек. Эксперимент кончается, его отчёт остаётся.
     */
    public deleteSurface<ThrowOnError extends boolean = true>(options: Options<DeleteSurfaceData, ThrowOnError>): RequestResult<DeleteSurfaceResponses, DeleteSurfaceErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteSurfaceResponses, DeleteSurfaceErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/surfaces/{surface}',
            ...options
        });
    }
    
    /**
     * Место показа
     */
    public getSurface<ThrowOnError extends boolean = true>(options: Options<GetSurfaceData, ThrowOnError>): RequestResult<GetSurfaceResponses, GetSurfaceErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetSurfaceResponses, GetSurfaceErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/surfaces/{surface}',
            ...options
        });
    }
    
    /**
     * Настроить место показа или заменить настройки целиком
     *
     * Действует со следующего запроса, следующие страницы начатой выдачи тоже. Поля запроса сильнее настроек варианта, те сильнее настроек места; названное поле заменяется целиком, null — тоже значение. Фильтры должны подходить к описанным свойствам проекта: иначе unknown_filter. Вариант человека выбирается хешем и остаётся за ним: после регистрации (users/link) — тот, что был у устройства, после входа на другом устройстве — тот, что у учётной записи; запрос без идентификаторов получает вариант наугад. Эксперимент принадлежит одному месту: id, который был у другого, или другие имена вариантов под прежним id — invalid_value.
     */
    public putSurface<ThrowOnError extends boolean = true>(options: Options<PutSurfaceData, ThrowOnError>): RequestResult<PutSurfaceResponses, PutSurfaceErrors, ThrowOnError> {
        return (options.client ?? this.client).put<PutSurfaceResponses, PutSurfaceErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/surfaces/{surface}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Что показала выдача и что из этого вышло
     *
     * Дни — по UTC, обе даты включительно, не больше 90 дней; без дат — последние 7. Считаются страницы ответов и события, которые назвали их recommendation_id и показанный объект, в течение 7 дней после ответа. Покупка без recommendation_id (строка заказа) относится к последнему такому событию того же человека с тем же объектом. Доли — на один запрос, границы — 95 % по людям. При p меньше 0,001 соотношение вариантов не объяснить случаем: такому эксперименту нельзя верить, пока причина не найдена.
     */
    public reportOutput<ThrowOnError extends boolean = true>(options: Options<ReportOutputData, ThrowOnError>): RequestResult<ReportOutputResponses, ReportOutputErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ReportOutputResponses, ReportOutputErrors, ThrowOnError>({
            querySerializer: { parameters: { group: { array: { explode: false } } } },
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/output/report',
            ...options
        });
    }
    
    /**
     * Синонимы поиска
     */
    public getSynonyms<ThrowOnError extends boolean = true>(options: Options<GetSynonymsData, ThrowOnError>): RequestResult<GetSynonymsResponses, GetSynonymsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetSynonymsResponses, GetSynonymsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/synonyms',
            ...options
        });
    }
    
    /**
     * Заменить синонимы поиска целиком
     *
     * Действуют со следующего поискового запроса. Слова сравниваются по основам, без регистра, ё как е.
     */
    public putSynonyms<ThrowOnError extends boolean = true>(options: Options<PutSynonymsData, ThrowOnError>): RequestResult<PutSynonymsResponses, PutSynonymsErrors, ThrowOnError> {
        return (options.client ?? this.client).put<PutSynonymsResponses, PutSynonymsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/synonyms',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Посмотреть выдачу глазами любого человека
     *
     * Тот же ответ, что у content API, с explain. Ничего не запоминается и не считается: снимка нет, поэтому нет и следующей страницы. Ошибки запроса названы с путём request.
     */
    public previewOutput<ThrowOnError extends boolean = true>(options: Options<PreviewOutputData, ThrowOnError>): RequestResult<PreviewOutputResponses, PreviewOutputErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PreviewOutputResponses, PreviewOutputErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/output/preview',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Почему объекта нет в выдаче
     *
     * Тот же запрос, что у просмотра выдачи, и объект, о котором спрашивают. Отвечает по тем же правилам, что и сама выдача: что не пускает объект, а если ничего — где он стоит. Ничего не запоминается. Путь search/suggest и cursor не принимаются. Объекта, которого никогда не было, — obstacles с кодом unknown.
     */
    public findObstacles<ThrowOnError extends boolean = true>(options: Options<FindObstaclesData, ThrowOnError>): RequestResult<FindObstaclesResponses, FindObstaclesErrors, ThrowOnError> {
        return (options.client ?? this.client).post<FindObstaclesResponses, FindObstaclesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/output/obstacles',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Объекты проекта, изменённые последними — первыми
     *
     * С отбором одна страница просматривает не больше 20 000 объектов: items может быть неполным и даже пустым, а next_cursor — не null. Тогда поиск продолжает следующая страница; он закончен, когда next_cursor — null. С ids — названные объекты одной страницей, неизвестных в ответе нет; вместе с отбором и cursor ids не принимается.
     */
    public listProjectItems<ThrowOnError extends boolean = true>(options: Options<ListProjectItemsData, ThrowOnError>): RequestResult<ListProjectItemsResponses, ListProjectItemsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListProjectItemsResponses, ListProjectItemsErrors, ThrowOnError>({
            querySerializer: { parameters: { ids: { array: { explode: false } } } },
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/items',
            ...options
        });
    }
    
    /**
     * Удалить объект
     *
     * Мягкое удаление: объект уходит из выдачи и поиска, результаты анализа остаются, PUT возвращает его. Повтор отвечает тем же.
     */
    public deleteProjectItem<ThrowOnError extends boolean = true>(options: Options<DeleteProjectItemData, ThrowOnError>): RequestResult<DeleteProjectItemResponses, DeleteProjectItemErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteProjectItemResponses, DeleteProjectItemErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/items/{item}',
            ...options
        });
    }
    
    /**
     * Объект с результатами анализа
     *
     * То же, что отвечает API контента, и ход анализа по шагам. Идентификатор — любой, в кодировке URL. Удалённый объект возвращается с deleted=true.
     */
    public getProjectItem<ThrowOnError extends boolean = true>(options: Options<GetProjectItemData, ThrowOnError>): RequestResult<GetProjectItemResponses, GetProjectItemErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetProjectItemResponses, GetProjectItemErrors, ThrowOnError>({
            querySerializer: { parameters: { include: { array: { explode: false } } } },
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/items/{item}',
            ...options
        });
    }
    
    /**
     * Изменить переданные поля объекта
     *
     * null очищает поле; media передаётся целиком. Тип не меняется, удаление не снимается. Проекту, который приостановлен или в архиве, — 403.
     */
    public patchProjectItem<ThrowOnError extends boolean = true>(options: Options<PatchProjectItemData, ThrowOnError>): RequestResult<PatchProjectItemResponses, PatchProjectItemErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchProjectItemResponses, PatchProjectItemErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/items/{item}',
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
     * По тем же правилам, что и PUT /items/{id} API контента: повтор того же тела ничего не меняет, непереданные поля очищаются, удаление снимается. Идентификатор — любой, в кодировке URL. Проекту, который приостановлен или в архиве, — 403.
     */
    public putProjectItem<ThrowOnError extends boolean = true>(options: Options<PutProjectItemData, ThrowOnError>): RequestResult<PutProjectItemResponses, PutProjectItemErrors, ThrowOnError> {
        return (options.client ?? this.client).put<PutProjectItemResponses, PutProjectItemErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/items/{item}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Что делали с объектом, по дням
     *
     * Дни — по UTC, обе даты включительно, не больше 92; без дат — последние 28. События учитываются через секунды после приёма, и опоздавшие — в свой день. Удалённый пользователь исчезает из чисел, когда удалены его события; показы без имени остаются. Не идентифицирующие человека суммы удалённых — в of_deleted.
     */
    public getItemStatistics<ThrowOnError extends boolean = true>(options: Options<GetItemStatisticsData, ThrowOnError>): RequestResult<GetItemStatisticsResponses, GetItemStatisticsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetItemStatisticsResponses, GetItemStatisticsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/items/{item}/statistics',
            ...options
        });
    }
    
    /**
     * Повторить анализ объекта
     *
     * Пересчитываются названные шаги и всё, что от них зависит; без steps — всё, включая подготовку медиа. Идентификатор — любой, в кодировке URL. Проекту, который приостановлен или в архиве, — 403.
     */
    public reprocessProjectItem<ThrowOnError extends boolean = true>(options: Options<ReprocessProjectItemData, ThrowOnError>): RequestResult<ReprocessProjectItemResponses, ReprocessProjectItemErrors, ThrowOnError> {
        return (options.client ?? this.client).post<ReprocessProjectItemResponses, ReprocessProjectItemErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/items/{item}/reprocess',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Импорты, последние первыми
     */
    public listImports<ThrowOnError extends boolean = true>(options: Options<ListImportsData, ThrowOnError>): RequestResult<ListImportsResponses, ListImportsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListImportsResponses, ListImportsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/imports',
            ...options
        });
    }
    
    /**
     * Загрузить файл объектов
     *
     * Тело — файл в UTF-8: JSON Lines (`application/x-ndjson` или `application/jsonl`; строка — поля PUT /items/{id} вместе с `id` либо {"op":"put","id":…,"data":{…}}) или CSV (`text/csv`; первая строка — имена полей; разделитель — запятая, точка с запятой или табуляция; properties и media — JSON; пустая ячейка — поле не передано). Каждая строка — PUT объекта: ошибка в строке других не касается. Размер ограничен настройкой IMPORT_MAX_MB (обычно 1 ГБ), строка — 5 МБ. Оборванная загрузка ничего не оставляет. Незавершённых импортов у проекта, включая загружаемые, не больше 10: следующий — 422 с кодом invalid_value у тела; загрузите его, когда закончится один из них. Проекту, который приостановлен или в архиве, — 403.
     */
    public createImport<ThrowOnError extends boolean = true>(options: Options<CreateImportData, ThrowOnError>): RequestResult<CreateImportResponses, CreateImportErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateImportResponses, CreateImportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/imports',
            ...options,
            headers: {
                'Content-Type': 'application/x-ndjson',
                ...options.headers
            }
        });
    }
    
    /**
     * Ход импорта и ошибки по строкам
     */
    public getImport<ThrowOnError extends boolean = true>(options: Options<GetImportData, ThrowOnError>): RequestResult<GetImportResponses, GetImportErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetImportResponses, GetImportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/imports/{import_id}',
            ...options
        });
    }
    
    /**
     * Как идёт анализ проекта
     *
     * Числа точные и ведутся вместе с записями, поэтому ответ одинаково быстр при любом числе объектов. Объекты за кодом ошибки — GET /projects/{id}/items?step=…&error_code=…, их новый анализ — POST /projects/{id}/rerun с error_code.
     */
    public getPipeline<ThrowOnError extends boolean = true>(options: Options<GetPipelineData, ThrowOnError>): RequestResult<GetPipelineResponses, GetPipelineErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetPipelineResponses, GetPipelineErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/pipeline',
            ...options
        });
    }
    
    /**
     * Проанализировать объекты проекта заново
     *
     * Пересчитываются названные шаги и всё, что от них зависит, у объектов названного статуса; без steps — всё, включая подготовку медиа, без status — у всех; с error_code — только у тех, чей шаг не выполнен по этой причине. Объекты ставятся в очередь постепенно (RERUN_ITEMS_PER_SECOND) и позади обычных записей; удалённые и созданные из заказов не затрагиваются. Шаг, который уже ждёт очереди или выполняется, начинается сначала, только если зависит от пересчитываемого. Пока идёт один запрошенный анализ, другой не принимается: 422 с invalid_value без поля. Объём анализа расходуется как обычно. Проекту, который приостановлен или в архиве, — 403.
     */
    public createRerun<ThrowOnError extends boolean = true>(options: Options<CreateRerunData, ThrowOnError>): RequestResult<CreateRerunResponses, CreateRerunErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateRerunResponses, CreateRerunErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/rerun',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Новые анализы, последние первыми
     *
     * И запрошенные, и начатые после смены моделей; законченные хранятся 90 дней.
     */
    public listReruns<ThrowOnError extends boolean = true>(options: Options<ListRerunsData, ThrowOnError>): RequestResult<ListRerunsResponses, ListRerunsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListRerunsResponses, ListRerunsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/reruns',
            ...options
        });
    }
    
    /**
     * Как далеко новый анализ
     */
    public getRerun<ThrowOnError extends boolean = true>(options: Options<GetRerunData, ThrowOnError>): RequestResult<GetRerunResponses, GetRerunErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetRerunResponses, GetRerunErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/reruns/{rerun}',
            ...options
        });
    }
    
    /**
     * Остановить новый анализ
     *
     * Больше ничего в очередь не ставится; объекты, которые уже стоят в ней, анализируются. Законченный анализ остаётся каким был.
     */
    public cancelRerun<ThrowOnError extends boolean = true>(options: Options<CancelRerunData, ThrowOnError>): RequestResult<CancelRerunResponses, CancelRerunErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CancelRerunResponses, CancelRerunErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/reruns/{rerun}/cancel',
            ...options
        });
    }
    
    /**
     * Модели рекомендаций, последние первыми
     */
    public listModels<ThrowOnError extends boolean = true>(options: Options<ListModelsData, ThrowOnError>): RequestResult<ListModelsResponses, ListModelsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListModelsResponses, ListModelsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/output/models',
            ...options
        });
    }
    
    /**
     * Обучить модель рекомендаций сейчас
     *
     * Обучение на всех событиях проекта. Само оно идёт каждую ночь, а изменения учитываются каждые 10 минут. Модель публикуется, если на последнем отрезке времени она лучше популярного; иначе её состояние — rejected с причиной. Пока проект обучается, другое обучение не принимается: 422 с invalid_value без поля. Проекту, который приостановлен или в архиве, — 403.
     */
    public trainModel<ThrowOnError extends boolean = true>(options: Options<TrainModelData, ThrowOnError>): RequestResult<TrainModelResponses, TrainModelErrors, ThrowOnError> {
        return (options.client ?? this.client).post<TrainModelResponses, TrainModelErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/output/train',
            ...options
        });
    }
    
    /**
     * Объём анализа за месяц
     *
     * Единица — каждая начатая 1000 знаков текста, каждая начатая минута звука или видео, каждое изображение. Анализ одного текста или медиа считается один раз, сколько бы шагов его ни читали. Когда объём месяца исчерпан, шаги ждут (waiting) и продолжаются сами: в новом месяце или когда объём увеличен.
     */
    public getUsage<ThrowOnError extends boolean = true>(options: Options<GetUsageData, ThrowOnError>): RequestResult<GetUsageResponses, GetUsageErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetUsageResponses, GetUsageErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/usage',
            ...options
        });
    }
    
    /**
     * Вебхуки проекта
     */
    public listWebhooks<ThrowOnError extends boolean = true>(options: Options<ListWebhooksData, ThrowOnError>): RequestResult<ListWebhooksResponses, ListWebhooksErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListWebhooksResponses, ListWebhooksErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks',
            ...options
        });
    }
    
    /**
     * Создать вебхук
     *
     * Секрет подписи показывается один раз. Адрес во внутреннюю сеть — forbidden_address; имя, которое пока не разрешается, принимается.
     */
    public createWebhook<ThrowOnError extends boolean = true>(options: Options<CreateWebhookData, ThrowOnError>): RequestResult<CreateWebhookResponses, CreateWebhookErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateWebhookResponses, CreateWebhookErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Удалить вебхук вместе с журналом
     */
    public deleteWebhook<ThrowOnError extends boolean = true>(options: Options<DeleteWebhookData, ThrowOnError>): RequestResult<DeleteWebhookResponses, DeleteWebhookErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteWebhookResponses, DeleteWebhookErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}',
            ...options
        });
    }
    
    /**
     * Вебхук
     */
    public getWebhook<ThrowOnError extends boolean = true>(options: Options<GetWebhookData, ThrowOnError>): RequestResult<GetWebhookResponses, GetWebhookErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetWebhookResponses, GetWebhookErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}',
            ...options
        });
    }
    
    /**
     * Изменить вебхук
     */
    public patchWebhook<ThrowOnError extends boolean = true>(options: Options<PatchWebhookData, ThrowOnError>): RequestResult<PatchWebhookResponses, PatchWebhookErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchWebhookResponses, PatchWebhookErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Сменить секрет подписи
     *
     * Все запросы начиная со следующего подписаны новым секретом, повторы тоже; старый сразу перестаёт действовать.
     */
    public rotateWebhookSecret<ThrowOnError extends boolean = true>(options: Options<RotateWebhookSecretData, ThrowOnError>): RequestResult<RotateWebhookSecretResponses, RotateWebhookSecretErrors, ThrowOnError> {
        return (options.client ?? this.client).post<RotateWebhookSecretResponses, RotateWebhookSecretErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/rotate',
            ...options
        });
    }
    
    /**
     * Отправить проверочное событие
     *
     * Одна попытка webhook.test без повторов; не больше 10 проверок за 10 минут на проект. Ответ приходит с её исходом.
     */
    public testWebhook<ThrowOnError extends boolean = true>(options: Options<TestWebhookData, ThrowOnError>): RequestResult<TestWebhookResponses, TestWebhookErrors, ThrowOnError> {
        return (options.client ?? this.client).post<TestWebhookResponses, TestWebhookErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/test',
            ...options
        });
    }
    
    /**
     * Вебхуки, на которые стоит посмотреть
     *
     * Включённые вебхуки действующих проектов, доступных вызывающему: без единого ответа 2xx час и дольше либо со слишком длинной очередью (backlog_since).
     */
    public listWebhookAlerts<ThrowOnError extends boolean = true>(options?: Options<ListWebhookAlertsData, ThrowOnError>): RequestResult<ListWebhookAlertsResponses, ListWebhookAlertsErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListWebhookAlertsResponses, ListWebhookAlertsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/webhooks/alerts',
            ...options
        });
    }
    
    /**
     * На что посмотреть в первую очередь
     *
     * Действующие проекты и сайты, доступные вызывающему: не больше 50 каждого вида. Вебхуки отдельно: GET /webhooks/alerts.
     */
    public getTroubles<ThrowOnError extends boolean = true>(options?: Options<GetTroublesData, ThrowOnError>): RequestResult<GetTroublesResponses, GetTroublesErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetTroublesResponses, GetTroublesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/troubles',
            ...options
        });
    }
    
    /**
     * Состояние установки
     *
     * Здоровье частей, место на дисках, что ждёт и что не удалось — по видам, старейшее первым, с workflow в Temporal, — и кто близок к своей квоте. Отвечает и тогда, когда Temporal недоступен. Только admin.
     */
    public getInstallation<ThrowOnError extends boolean = true>(options?: Options<GetInstallationData, ThrowOnError>): RequestResult<GetInstallationResponses, GetInstallationErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetInstallationResponses, GetInstallationErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/installation',
            ...options
        });
    }
    
    /**
     * Провайдеры анализа и их последняя проба
     *
     * Пробу делает worker-ai при запуске и по запросу POST /providers/check.
     */
    public listProviders<ThrowOnError extends boolean = true>(options?: Options<ListProvidersData, ThrowOnError>): RequestResult<ListProvidersResponses, ListProvidersErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListProvidersResponses, ListProvidersErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/providers',
            ...options
        });
    }
    
    /**
     * Проверить провайдеров анализа
     *
     * worker-ai начнёт пробу в течение нескольких секунд; результат — в GET /providers.
     */
    public checkProviders<ThrowOnError extends boolean = true>(options?: Options<CheckProvidersData, ThrowOnError>): RequestResult<CheckProvidersResponses, CheckProvidersErrors, ThrowOnError> {
        return (options?.client ?? this.client).post<CheckProvidersResponses, CheckProvidersErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/providers/check',
            ...options
        });
    }
    
    /**
     * Попытки вебхука по часам
     *
     * Хранится 30 дней, как и журнал. Попытки до обновления, с которым появился этот учёт, не известны.
     */
    public getWebhookStatistics<ThrowOnError extends boolean = true>(options: Options<GetWebhookStatisticsData, ThrowOnError>): RequestResult<GetWebhookStatisticsResponses, GetWebhookStatisticsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetWebhookStatisticsResponses, GetWebhookStatisticsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/statistics',
            ...options
        });
    }
    
    /**
     * Доставки объекта всеми вебхуками, новые первыми
     */
    public listItemDeliveries<ThrowOnError extends boolean = true>(options: Options<ListItemDeliveriesData, ThrowOnError>): RequestResult<ListItemDeliveriesResponses, ListItemDeliveriesErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListItemDeliveriesResponses, ListItemDeliveriesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/deliveries',
            ...options
        });
    }
    
    /**
     * Журнал доставок, новые первыми
     */
    public listDeliveries<ThrowOnError extends boolean = true>(options: Options<ListDeliveriesData, ThrowOnError>): RequestResult<ListDeliveriesResponses, ListDeliveriesErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListDeliveriesResponses, ListDeliveriesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/deliveries',
            ...options
        });
    }
    
    /**
     * Доставка и её попытки
     */
    public getDelivery<ThrowOnError extends boolean = true>(options: Options<GetDeliveryData, ThrowOnError>): RequestResult<GetDeliveryResponses, GetDeliveryErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetDeliveryResponses, GetDeliveryErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/deliveries/{delivery_id}',
            ...options
        });
    }
    
    /**
     * Отправить доставку ещё раз сейчас
     *
     * Следующая попытка той же доставки, с тем же delivery_id. У выключенного вебхука, в неактивном проекте, для удалённого объекта и для проверочного события — 422: проверка — одна попытка, новую делает POST …/test.
     */
    public resendDelivery<ThrowOnError extends boolean = true>(options: Options<ResendDeliveryData, ThrowOnError>): RequestResult<ResendDeliveryResponses, ResendDeliveryErrors, ThrowOnError> {
        return (options.client ?? this.client).post<ResendDeliveryResponses, ResendDeliveryErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/deliveries/{delivery_id}/resend',
            ...options
        });
    }
    
    /**
     * Отправить снова всё, что не доставлено за время
     *
     * Доставки в статусах failed и dropped снова ставятся в очередь под прежними delivery_id: каждая получает все попытки заново, их номера в журнале продолжаются. Возвращаются и события за время, когда вебхук был выключен; проверочные события и удалённые объекты — нет. Очередь пополняется постепенно, так что новые события не ждут старых. since в будущем, until не позже since — 422. У выключенного вебхука, в неактивном проекте и пока идёт другое восстановление того же вебхука — 422 с invalid_value без поля. Если вебхук выключить, восстановление прекращается.
     */
    public recoverDeliveries<ThrowOnError extends boolean = true>(options: Options<RecoverDeliveriesData, ThrowOnError>): RequestResult<RecoverDeliveriesResponses, RecoverDeliveriesErrors, ThrowOnError> {
        return (options.client ?? this.client).post<RecoverDeliveriesResponses, RecoverDeliveriesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/recover',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Восстановления вебхука, последние первыми
     */
    public listRecoveries<ThrowOnError extends boolean = true>(options: Options<ListRecoveriesData, ThrowOnError>): RequestResult<ListRecoveriesResponses, ListRecoveriesErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListRecoveriesResponses, ListRecoveriesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/recoveries',
            ...options
        });
    }
    
    /**
     * Как далеко восстановление
     */
    public getRecovery<ThrowOnError extends boolean = true>(options: Options<GetRecoveryData, ThrowOnError>): RequestResult<GetRecoveryResponses, GetRecoveryErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetRecoveryResponses, GetRecoveryErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/projects/{id}/webhooks/{wid}/recoveries/{rid}',
            ...options
        });
    }
    
    /**
     * Сайты, доступные вызывающему, удалённые тоже
     */
    public listSites<ThrowOnError extends boolean = true>(options?: Options<ListSitesData, ThrowOnError>): RequestResult<ListSitesResponses, ListSitesErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<ListSitesResponses, ListSitesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites',
            ...options
        });
    }
    
    /**
     * Создать сайт
     *
     * Сразу с ключом счётчика, см. GET /sites/{id}/tag. Сайт принадлежит создавшему его владельцу. Сайтов у владельца не больше 30, если администратор не дал ему другую квоту: дальше 422 с invalid_value без поля.
     */
    public createSite<ThrowOnError extends boolean = true>(options: Options<CreateSiteData, ThrowOnError>): RequestResult<CreateSiteResponses, CreateSiteErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateSiteResponses, CreateSiteErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Сайт
     */
    public getSite<ThrowOnError extends boolean = true>(options: Options<GetSiteData, ThrowOnError>): RequestResult<GetSiteResponses, GetSiteErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetSiteResponses, GetSiteErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}',
            ...options
        });
    }
    
    /**
     * Изменить сайт
     *
     * Действует сразу, в крайнем случае не позже чем через 5 секунд. rates, hosts и ignored_referrers заменяются целиком, остальные объекты дополняются. Квоты, пределы, owner_state и состояния active и blocked меняет только admin: владельцу 403. Владелец может удалить сайт (state: deleted), если он не заблокирован; данные остаются до конца срока хранения.
     */
    public patchSite<ThrowOnError extends boolean = true>(options: Options<PatchSiteData, ThrowOnError>): RequestResult<PatchSiteResponses, PatchSiteErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchSiteResponses, PatchSiteErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Ключи сайта, отозванные тоже
     */
    public listSiteKeys<ThrowOnError extends boolean = true>(options: Options<ListSiteKeysData, ThrowOnError>): RequestResult<ListSiteKeysResponses, ListSiteKeysErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListSiteKeysResponses, ListSiteKeysErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/keys',
            ...options
        });
    }
    
    /**
     * Выпустить ключ
     *
     * Не больше 20 действующих ключей каждого вида у сайта: лимиты считаются по ключу.
     */
    public createSiteKey<ThrowOnError extends boolean = true>(options: Options<CreateSiteKeyData, ThrowOnError>): RequestResult<CreateSiteKeyResponses, CreateSiteKeyErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateSiteKeyResponses, CreateSiteKeyErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/keys',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Отозвать ключ
     *
     * Действует сразу, в крайнем случае не позже чем через 5 секунд, и навсегда. Повтор отвечает тем же. С отозванным ключом счётчика страницы ничего не присылают, пока в них не вставлен другой.
     */
    public revokeSiteKey<ThrowOnError extends boolean = true>(options: Options<RevokeSiteKeyData, ThrowOnError>): RequestResult<RevokeSiteKeyResponses, RevokeSiteKeyErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<RevokeSiteKeyResponses, RevokeSiteKeyErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/keys/{key_id}',
            ...options
        });
    }
    
    /**
     * Что приходит от счётчика сайта
     *
     * Имена и ключи известны через 5 секунд после пакета и хранятся 31 день, каждого вида до 50 последних.
     */
    public getSiteStatus<ThrowOnError extends boolean = true>(options: Options<GetSiteStatusData, ThrowOnError>): RequestResult<GetSiteStatusResponses, GetSiteStatusErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetSiteStatusResponses, GetSiteStatusErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/status',
            ...options
        });
    }
    
    /**
     * Код счётчика для страниц сайта
     */
    public getSiteTag<ThrowOnError extends boolean = true>(options: Options<GetSiteTagData, ThrowOnError>): RequestResult<GetSiteTagResponses, GetSiteTagErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetSiteTagResponses, GetSiteTagErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/tag',
            ...options
        });
    }
    
    /**
     * Цели сайта, отключённые тоже
     *
     * Все на одной странице: их не больше квоты goals (200).
     */
    public listGoals<ThrowOnError extends boolean = true>(options: Options<ListGoalsData, ThrowOnError>): RequestResult<ListGoalsResponses, ListGoalsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListGoalsResponses, ListGoalsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/goals',
            ...options
        });
    }
    
    /**
     * Удалить цель
     *
     * Достижения, которые уже есть, остаются под её кодом.
     */
    public deleteGoal<ThrowOnError extends boolean = true>(options: Options<DeleteGoalData, ThrowOnError>): RequestResult<DeleteGoalResponses, DeleteGoalErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteGoalResponses, DeleteGoalErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/goals/{code}',
            ...options
        });
    }
    
    /**
     * Создать цель или заменить её целиком
     *
     * Действует сразу, на прошлое не влияет. Цель типа purchase достигается покупкой, которую прислал тег или POST /orders, — один раз на заказ. Новая цель сверх квоты goals — 422 с invalid_value без поля. Регулярные выражения целей одного сайта вместе ограничены: одно — 1000 символов и 300 инструкций RE2, все включённые — 4000 инструкций; сверх того — 422 с invalid_value на match.value.
     */
    public putGoal<ThrowOnError extends boolean = true>(options: Options<PutGoalData, ThrowOnError>): RequestResult<PutGoalResponses, PutGoalErrors, ThrowOnError> {
        return (options.client ?? this.client).put<PutGoalResponses, PutGoalErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/goals/{code}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Проверить условие цели на последних хитах
     *
     * Сколько хитов за 7 дней достигли бы цели с таким условием, по тому же правилу, что и при приёме; роботы не учитываются. Ничего не сохраняет. Это отчёт: он занимает одно из двух мест пользователя. У целей типа js проверять нечего: их достигает вызов с кодом цели.
     */
    public tryGoal<ThrowOnError extends boolean = true>(options: Options<TryGoalData, ThrowOnError>): RequestResult<TryGoalResponses, TryGoalErrors, ThrowOnError> {
        return (options.client ?? this.client).post<TryGoalResponses, TryGoalErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/goals/try',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Построить отчёт
     *
     * До 5 группировок, 10 показателей и 10 000 строк не больше чем за 25 месяцев. У одного пользователя одновременно строятся два отчёта, третий — 429. Отчёт дольше 30 секунд строится по 10 процентам посетителей (sampled: true); если и это не успело — 503. Подписи строк — на языке из Accept-Language (ru, en), без него — на русском. Ошибки полей — как у POST /reports API аналитики.
     */
    public postReport<ThrowOnError extends boolean = true>(options: Options<PostReportData, ThrowOnError>): RequestResult<PostReportResponses, PostReportErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostReportResponses, PostReportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/reports',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Построить несколько отчётов
     *
     * До 12 запросов, каждый — как у POST /sites/{id}/reports. Ответ — NDJSON: по строке на запрос в их порядке, каждая приходит, как только отчёт готов. Ошибка запроса стоит на его месте, остальные строятся. Весь пакет занимает одно из двух мест пользователя: отчёты строятся по одному. Если ответ перестали читать, пакет прекращается.
     */
    public postReportBatch<ThrowOnError extends boolean = true>(options: Options<PostReportBatchData, ThrowOnError>): RequestResult<PostReportBatchResponses, PostReportBatchErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostReportBatchResponses, PostReportBatchErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/reports/batch',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Из чего строятся отчёты
     *
     * Группировки и показатели с подписями и определениями на всех языках кабинета; что с чем сочетается: показатель нельзя построить с группировками и условиями уровней excludes, а показателю с needs_one нужна ровно одна группировка этого уровня. Ключи параметров — те, что присылал сайт, до 200 каждого вида; в отчёте можно назвать и другой.
     */
    public getReportFields<ThrowOnError extends boolean = true>(options: Options<GetReportFieldsData, ThrowOnError>): RequestResult<GetReportFieldsResponses, GetReportFieldsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetReportFieldsResponses, GetReportFieldsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/report-fields',
            ...options
        });
    }
    
    /**
     * Карта кликов страницы
     *
     * По элементам, на которые нажимали чаще всего, и по их клеткам: 10 на 10, от левого верхнего угла. Клетки известны для нажатий, чьё место внутри элемента сообщил счётчик. Без роботов. Адрес сравнивается, как в фильтре page_url отчётов: запрос и косая черта в конце не важны, если их нет в page. Дни — в часовом поясе сайта, обе даты включительно, не больше 25 месяцев; без дат — последние 30 дней. Считается как отчёт: у одного пользователя одновременно два, третий — 429; дольше 30 секунд — по 10 процентам посетителей (sampled: true), не успело и это — 503.
     */
    public getClicks<ThrowOnError extends boolean = true>(options: Options<GetClicksData, ThrowOnError>): RequestResult<GetClicksResponses, GetClicksErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetClicksResponses, GetClicksErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/clicks',
            ...options
        });
    }
    
    /**
     * Карта прокрутки страницы
     *
     * Сколько просмотров дошло до какой доли страницы. Глубина — самая большая за просмотр, по нижнему краю окна; страница, которую не прокручивали, — 0. Без роботов. Адрес сравнивается, как в фильтре page_url отчётов: запрос и косая черта в конце не важны, если их нет в page. Дни — в часовом поясе сайта, обе даты включительно, не больше 25 месяцев; без дат — последние 30 дней. Считается как отчёт: у одного пользователя одновременно два, третий — 429; дольше 30 секунд — по 10 процентам посетителей (sampled: true), не успело и это — 503.
     */
    public getScrolls<ThrowOnError extends boolean = true>(options: Options<GetScrollsData, ThrowOnError>): RequestResult<GetScrollsResponses, GetScrollsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetScrollsResponses, GetScrollsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/scrolls',
            ...options
        });
    }
    
    /**
     * Ссылка на карты сайта на час
     *
     * Кто её откроет, может час без входа читать карты кликов и прокрутки страниц этого сайта за выбранные дни, и больше ничего: GET /maps/{token}/clicks и /maps/{token}/scrolls с параметром page, со страниц любых сайтов. Токен стоит в части адреса после #, которая не уходит на сервер страницы. Адрес страницы — на одном из hosts сайта. Ссылки закрытого сайта не действуют.
     */
    public createMapLink<ThrowOnError extends boolean = true>(options: Options<CreateMapLinkData, ThrowOnError>): RequestResult<CreateMapLinkResponses, CreateMapLinkErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateMapLinkResponses, CreateMapLinkErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/map-links',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Выгрузки сайта, последние первыми
     */
    public listExports<ThrowOnError extends boolean = true>(options: Options<ListExportsData, ThrowOnError>): RequestResult<ListExportsResponses, ListExportsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListExportsResponses, ListExportsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/exports',
            ...options
        });
    }
    
    /**
     * Выгрузить отчёт файлом
     *
     * Отчёт, как у POST /sites/{id}/reports, но до 100000 строк (столько же и без limit), в CSV или XLSX, на языке из Accept-Language (ru, en; без него — на русском). До 10000 строк файл готов сразу: 201, state done и url; в это время занято одно из мест отчётов пользователя. Больше — 202: файл строится в очереди сайта, по одному; ход виден здесь, а когда файл готов, ссылка на него приходит и письмом тому, кто просил (если в установке есть почта). В очереди сайта не больше 5, следующий — 429; пока она полна, принимаются только отчёты с limit до 10000. Файл и ссылка хранятся 7 дней, у сайта не больше 500 файлов сразу: сверх того — 429.
     */
    public createExport<ThrowOnError extends boolean = true>(options: Options<CreateExportData, ThrowOnError>): RequestResult<CreateExportResponses, CreateExportErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateExportResponses, CreateExportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/exports',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Ход выгрузки и ссылка на файл
     */
    public getExport<ThrowOnError extends boolean = true>(options: Options<GetExportData, ThrowOnError>): RequestResult<GetExportResponses, GetExportErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetExportResponses, GetExportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/exports/{export}',
            ...options
        });
    }
    
    /**
     * Записи сессий, последние первыми
     *
     * С segment — те, чей визит входит в сохранённый сегмент сайта, за последние 90 дней: дольше записи не хранятся. Каждая такая страница считается как отчёт: у одного пользователя одновременно два, третий — 429; не успевшая за 30 секунд — 503. Неизвестный сегмент — 400 с unknown_segment.
     */
    public listRecordings<ThrowOnError extends boolean = true>(options: Options<ListRecordingsData, ThrowOnError>): RequestResult<ListRecordingsResponses, ListRecordingsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListRecordingsResponses, ListRecordingsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/recordings',
            ...options
        });
    }
    
    /**
     * Удалить запись
     *
     * Сразу; её файлы — в течение часа. Если она ещё идёт, дальше не записывается.
     */
    public deleteRecording<ThrowOnError extends boolean = true>(options: Options<DeleteRecordingData, ThrowOnError>): RequestResult<DeleteRecordingResponses, DeleteRecordingErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteRecordingResponses, DeleteRecordingErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/recordings/{recording}',
            ...options
        });
    }
    
    /**
     * Запись сессии и её части
     */
    public getRecording<ThrowOnError extends boolean = true>(options: Options<GetRecordingData, ThrowOnError>): RequestResult<GetRecordingResponses, GetRecordingErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetRecordingResponses, GetRecordingErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/recordings/{recording}',
            ...options
        });
    }
    
    /**
     * Сделать запись избранной или обычной
     *
     * Избранная хранится 90 дней с начала, обычная — по квоте recording_days: снятая с избранных после этого срока удаляется при ближайшей уборке. Избранных у сайта не больше квоты favourites (100): дальше 422 с invalid_value у favourite.
     */
    public patchRecording<ThrowOnError extends boolean = true>(options: Options<PatchRecordingData, ThrowOnError>): RequestResult<PatchRecordingResponses, PatchRecordingErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchRecordingResponses, PatchRecordingErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/recordings/{recording}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Что и когда происходит в записи
     *
     * Страницы, нажатия, достигнутые цели и ошибки скриптов. Цели — те, что достигнуты за визит, пока шла запись; нажатия и ошибки сообщает счётчик, кроме закрытых частей страницы. Части больше 4 МБ в распакованном виде не читаются.
     */
    public getRecordingTimeline<ThrowOnError extends boolean = true>(options: Options<GetRecordingTimelineData, ThrowOnError>): RequestResult<GetRecordingTimelineResponses, GetRecordingTimelineErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetRecordingTimelineResponses, GetRecordingTimelineErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/recordings/{recording}/timeline',
            ...options
        });
    }
    
    /**
     * Несколько частей записи одним ответом
     *
     * Части подряд, начиная с from: сколько поместится в 2 МБ, но не меньше одной. Перед каждой — её номер и длина, по четыре байта, старший первым. Пустой ответ — частей больше нет; у потерянной части длина 0.
     */
    public getRecordingChunks<ThrowOnError extends boolean = true>(options: Options<GetRecordingChunksData, ThrowOnError>): RequestResult<GetRecordingChunksResponses, GetRecordingChunksErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetRecordingChunksResponses, GetRecordingChunksErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/recordings/{recording}/chunks',
            ...options
        });
    }
    
    /**
     * Часть записи: gzip массива событий rrweb
     */
    public getRecordingChunk<ThrowOnError extends boolean = true>(options: Options<GetRecordingChunkData, ThrowOnError>): RequestResult<GetRecordingChunkResponses, GetRecordingChunkErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetRecordingChunkResponses, GetRecordingChunkErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/recordings/{recording}/chunks/{seq}',
            ...options
        });
    }
    
    /**
     * Посетители сайта, последние первыми
     *
     * Каждый — один раз, с последним подходящим визитом; роботов нет. Визиты видны столько, сколько сайт их хранит, но не меньше полугода. За один ответ просматривается до 2 000 визитов: страница может быть короче limit или пустой, а next_cursor ведёт дальше, пока он не null. С visitor или user_id остальные условия и cursor не действуют, и роботы есть.
     */
    public listVisitors<ThrowOnError extends boolean = true>(options: Options<ListVisitorsData, ThrowOnError>): RequestResult<ListVisitorsResponses, ListVisitorsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListVisitorsResponses, ListVisitorsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/visitors',
            ...options
        });
    }
    
    /**
     * Удалить всё о посетителе
     *
     * Хиты, визиты, достижения целей, заказы, данные и записи сессий. Выполняется ближайшим запуском расписания visitor-deletions (раз в час), файлы отчётов очищаются ещё примерно через полчаса. Готовые выгрузки отчётов сайта удаляются: в них может быть он. Повтор отвечает тем же, неизвестный посетитель — тоже. Если он придёт снова, он будет новым.
     */
    public deleteVisitor<ThrowOnError extends boolean = true>(options: Options<DeleteVisitorData, ThrowOnError>): RequestResult<DeleteVisitorResponses, DeleteVisitorErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteVisitorResponses, DeleteVisitorErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/visitors/{visitor_id}',
            ...options
        });
    }
    
    /**
     * Посетитель: визиты, цели, заказы и что о нём известно
     *
     * Записи его сессий — GET /sites/{id}/recordings?visitor=…
     */
    public getVisitor<ThrowOnError extends boolean = true>(options: Options<GetVisitorData, ThrowOnError>): RequestResult<GetVisitorResponses, GetVisitorErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetVisitorResponses, GetVisitorErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/visitors/{visitor_id}',
            ...options
        });
    }
    
    /**
     * Удалить всё о пользователе сайта
     *
     * Значения, контакты, интересы и то, что другие сайты сети видят по ним; достижения целей и заказы, где назван пользователь; и все посетители, которых когда-либо с ним связали, — целиком, как в deleteVisitor. Выполняется ближайшим запуском расписания visitor-deletions (раз в час; очень много посетителей — за несколько запусков), файлы отчётов очищаются ещё примерно через полчаса. Готовые выгрузки отчётов сайта удаляются: в них может быть он. Повтор отвечает тем же, неизвестный пользователь — тоже. О ком сайт расскажет после этого снова, тот будет новым.
     */
    public deleteSiteUser<ThrowOnError extends boolean = true>(options: Options<DeleteSiteUserData, ThrowOnError>): RequestResult<DeleteSiteUserResponses, DeleteSiteUserErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteSiteUserResponses, DeleteSiteUserErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/users/{user_id}',
            ...options
        });
    }
    
    /**
     * Сегменты сайта
     *
     * Все на одной странице: их не больше 200.
     */
    public listSegments<ThrowOnError extends boolean = true>(options: Options<ListSegmentsData, ThrowOnError>): RequestResult<ListSegmentsResponses, ListSegmentsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListSegmentsResponses, ListSegmentsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/segments',
            ...options
        });
    }
    
    /**
     * Сохранить сегмент
     *
     * Его id — segment_id отчётов. Условия — как segment отчёта, до 64 КБ; scope: visitor отбирает посетителей целиком. Сегмент сверх 200 — 422 с invalid_value без поля.
     */
    public createSegment<ThrowOnError extends boolean = true>(options: Options<CreateSegmentData, ThrowOnError>): RequestResult<CreateSegmentResponses, CreateSegmentErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateSegmentResponses, CreateSegmentErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/segments',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Удалить сегмент
     *
     * Сохранённые отчёты с ним остаются; построить их нельзя, пока сегмент не заменён: 422 с unknown_segment.
     */
    public deleteSegment<ThrowOnError extends boolean = true>(options: Options<DeleteSegmentData, ThrowOnError>): RequestResult<DeleteSegmentResponses, DeleteSegmentErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteSegmentResponses, DeleteSegmentErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/segments/{sid}',
            ...options
        });
    }
    
    /**
     * Изменить сегмент
     *
     * Условия заменяются целиком; отчёты с этим сегментом дальше считаются по новым.
     */
    public patchSegment<ThrowOnError extends boolean = true>(options: Options<PatchSegmentData, ThrowOnError>): RequestResult<PatchSegmentResponses, PatchSegmentErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchSegmentResponses, PatchSegmentErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/segments/{sid}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Сохранённые отчёты сайта
     *
     * Все на одной странице: их не больше 200.
     */
    public listSavedReports<ThrowOnError extends boolean = true>(options: Options<ListSavedReportsData, ThrowOnError>): RequestResult<ListSavedReportsResponses, ListSavedReportsErrors, ThrowOnError> {
        return (options.client ?? this.client).get<ListSavedReportsResponses, ListSavedReportsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/saved-reports',
            ...options
        });
    }
    
    /**
     * Сохранить отчёт
     *
     * Отчёт проверяется, как если бы его строили. Он сверх 200 — 422 с invalid_value без поля.
     */
    public createSavedReport<ThrowOnError extends boolean = true>(options: Options<CreateSavedReportData, ThrowOnError>): RequestResult<CreateSavedReportResponses, CreateSavedReportErrors, ThrowOnError> {
        return (options.client ?? this.client).post<CreateSavedReportResponses, CreateSavedReportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/saved-reports',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Удалить сохранённый отчёт
     */
    public deleteSavedReport<ThrowOnError extends boolean = true>(options: Options<DeleteSavedReportData, ThrowOnError>): RequestResult<DeleteSavedReportResponses, DeleteSavedReportErrors, ThrowOnError> {
        return (options.client ?? this.client).delete<DeleteSavedReportResponses, DeleteSavedReportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/saved-reports/{report}',
            ...options
        });
    }
    
    /**
     * Сохранённый отчёт
     */
    public getSavedReport<ThrowOnError extends boolean = true>(options: Options<GetSavedReportData, ThrowOnError>): RequestResult<GetSavedReportResponses, GetSavedReportErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetSavedReportResponses, GetSavedReportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/saved-reports/{report}',
            ...options
        });
    }
    
    /**
     * Переименовать сохранённый отчёт или заменить его
     *
     * report и last_days заменяются вместе: без last_days у отчёта свои даты.
     */
    public patchSavedReport<ThrowOnError extends boolean = true>(options: Options<PatchSavedReportData, ThrowOnError>): RequestResult<PatchSavedReportResponses, PatchSavedReportErrors, ThrowOnError> {
        return (options.client ?? this.client).patch<PatchSavedReportResponses, PatchSavedReportErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/saved-reports/{report}',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Кто сейчас на сайте
     *
     * Через секунды после хита. Роботов нет; человек считается один раз, сколько бы ни было у него визитов и устройств с входом под одним именем.
     */
    public getRealtime<ThrowOnError extends boolean = true>(options: Options<GetRealtimeData, ThrowOnError>): RequestResult<GetRealtimeResponses, GetRealtimeErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetRealtimeResponses, GetRealtimeErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }, {
                    in: 'cookie',
                    name: '__Secure-attune_session',
                    type: 'apiKey'
                }],
            url: '/sites/{id}/realtime',
            ...options
        });
    }
    
    /**
     * Войти
     *
     * Ставит cookie сессии: она кончается через сутки без запросов и через 30 дней после входа. Неизвестный e-mail и неверный пароль неотличимы: 401. Если включён второй фактор, без code — 401 с details: code required, с неверным или уже использованным — code invalid_value. Попытки ограничены по адресу и по e-mail; у браузера, в котором уже входили, свой счёт попыток.
     */
    public login<ThrowOnError extends boolean = true>(options: Options<LoginData, ThrowOnError>): RequestResult<LoginResponses, LoginErrors, ThrowOnError> {
        return (options.client ?? this.client).post<LoginResponses, LoginErrors, ThrowOnError>({
            url: '/login',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Войти по ссылке
     *
     * Ставит cookie сессии, как POST /login; ссылка после этого не действует. Неизвестная, использованная и просроченная ссылка — 401. Если включён второй фактор, без code — 401 с details: code required, с неверным — code invalid_value; ссылка тогда ещё действует. Попытки ограничены по адресу.
     */
    public signIn<ThrowOnError extends boolean = true>(options: Options<SignInData, ThrowOnError>): RequestResult<SignInResponses, SignInErrors, ThrowOnError> {
        return (options.client ?? this.client).post<SignInResponses, SignInErrors, ThrowOnError>({
            url: '/sign-in',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Принять приглашение и задать пароль
     *
     * Приглашение действует 7 дней и один раз, пока у пригласившего есть на это право; иначе 404. После этого можно войти: POST /login. Попытки ограничены по адресу. Если e-mail приглашения уже чей-то, ответ тот же, а учётная запись остаётся прежней.
     */
    public acceptInvitation<ThrowOnError extends boolean = true>(options: Options<AcceptInvitationData, ThrowOnError>): RequestResult<AcceptInvitationResponses, AcceptInvitationErrors, ThrowOnError> {
        return (options.client ?? this.client).post<AcceptInvitationResponses, AcceptInvitationErrors, ThrowOnError>({
            url: '/invitations/accept',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Описание этого API в формате OpenAPI 3.1
     */
    public getDescription<ThrowOnError extends boolean = true>(options?: Options<GetDescriptionData, ThrowOnError>): RequestResult<GetDescriptionResponses, GetDescriptionErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetDescriptionResponses, GetDescriptionErrors, ThrowOnError>({ url: '/openapi.json', ...options });
    }
}
