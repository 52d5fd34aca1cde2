// Generated from the OpenAPI description by `npm run client:generate`. Do not edit.

export type ClientOptions = {
    baseUrl: `${string}://${string}/cabinet/api` | (string & {});
};

export type DictionaryEntry = {
    id: string;
    ru: string;
    en: string;
    /**
     * Чего это часть: темы, раздела, региона или страны
     */
    parent: string | null;
};

export type DictionaryEntries = {
    items: Array<DictionaryEntry>;
};

export type Me = {
    /**
     * Имя токена или e-mail
     */
    name: string;
    role: 'viewer' | 'owner' | 'admin';
    /**
     * Пользователь; null у токена установки
     */
    id: string | null;
    email: string | null;
    /**
     * null — все
     */
    projects: Array<string> | null;
    /**
     * null — все
     */
    sites: Array<string> | null;
    /**
     * Язык кабинета; null — как в браузере
     */
    language: 'ru' | 'en' | null;
    /**
     * Тема; null — не выбрана
     */
    theme: 'system' | 'light' | 'dark' | null;
    /**
     * Сколько сайтов может быть у владельца; null — не владелец
     */
    site_quota: number | null;
};

export type PasswordChange = {
    current_password: string;
    password: string;
};

export type PreferencesPatch = {
    /**
     * Язык кабинета; null — как в браузере
     */
    language?: 'ru' | 'en' | null;
    /**
     * Тема; null — не выбрана
     */
    theme?: 'system' | 'light' | 'dark' | null;
};

export type SessionsEnded = {
    sessions_ended: number;
};

export type Session = {
    id: string;
    /**
     * Когда вошли
     */
    created_at: string;
    /**
     * С точностью до минуты
     */
    last_used_at: string;
    /**
     * Сессия этого запроса
     */
    is_current: boolean;
};

export type SessionPage = {
    items: Array<Session>;
    next_cursor: string | null;
};

export type SessionEnded = {
    id: string;
    ended: boolean;
};

export type SecondFactor = {
    enabled: boolean;
    recovery_codes_left: number;
};

export type SecondFactorStart = {
    password: string;
};

export type SecondFactorSecret = {
    /**
     * Base32
     */
    secret: string;
    /**
     * Для QR-кода
     */
    uri: string;
};

export type SecondFactorConfirm = {
    /**
     * Шесть цифр из приложения либо резервный код
     */
    code: string;
};

export type RecoveryCodes = {
    recovery_codes: Array<string>;
};

export type SecondFactorRemove = {
    password: string;
    /**
     * Шесть цифр из приложения либо резервный код
     */
    code: string;
};

export type Token = {
    id: string;
    name: string;
    /**
     * Первые 8 символов токена
     */
    prefix: string;
    created_at: string;
    /**
     * После этого токен не действует
     */
    expires_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
};

export type TokenPage = {
    items: Array<Token>;
    next_cursor: string | null;
};

export type TokenCreate = {
    name: string;
    /**
     * Срок действия
     */
    expires_in_days?: number;
};

export type NewToken = {
    id: string;
    name: string;
    /**
     * Первые 8 символов токена
     */
    prefix: string;
    created_at: string;
    /**
     * После этого токен не действует
     */
    expires_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
    /**
     * Показывается один раз
     */
    token: string;
};

export type TokenRevoked = {
    id: string;
    revoked: boolean;
};

export type User = {
    id: string;
    email: string;
    role: 'viewer' | 'owner' | 'admin';
    /**
     * invited — приглашение ещё не принято, учётной записи нет; id — приглашения
     */
    state: 'active' | 'blocked' | 'invited';
    projects: Array<string>;
    sites: Array<string>;
    /**
     * Сколько сайтов может быть у владельца
     */
    site_quota: number;
    created_at: string;
    last_login_at: string | null;
};

export type UserPage = {
    items: Array<User>;
    next_cursor: string | null;
};

export type UserCreate = {
    /**
     * Строчные и прописные буквы не различаются
     */
    email: string;
    password?: string;
    role: 'viewer' | 'owner' | 'admin';
    projects?: Array<string>;
    sites?: Array<string>;
};

export type UserWithInvitation = {
    id: string;
    email: string;
    role: 'viewer' | 'owner' | 'admin';
    /**
     * invited — приглашение ещё не принято, учётной записи нет; id — приглашения
     */
    state: 'active' | 'blocked' | 'invited';
    projects: Array<string>;
    sites: Array<string>;
    /**
     * Сколько сайтов может быть у владельца
     */
    site_quota: number;
    created_at: string;
    last_login_at: string | null;
    /**
     * Показывается один раз; передайте его приглашённому. null — приглашение не понадобилось
     */
    invitation: string | null;
    invitation_expires_at: string | null;
};

export type UserPatch = {
    /**
     * Строчные и прописные буквы не различаются
     */
    email?: string;
    password?: string;
    role?: 'viewer' | 'owner' | 'admin';
    state?: 'active' | 'blocked';
    projects?: Array<string>;
    sites?: Array<string>;
    /**
     * Только администратор; null возвращает значение по умолчанию
     */
    site_quota?: number | null;
};

export type Invitation = {
    id: string;
    /**
     * Показывается один раз; передайте его приглашённому. null — приглашение не понадобилось
     */
    invitation: string | null;
    invitation_expires_at: string | null;
};

export type SignInLinkCreate = {
    user: string;
};

export type SignInLink = {
    /**
     * Показывается один раз; секрет — за знаком #, серверам он не передаётся
     */
    url: string;
    expires_at: string;
};

export type UserDeleted = {
    id: string;
    deleted: boolean;
};

export type AuditEntry = {
    id: string;
    at: string;
    /**
     * E-mail пользователя или имя токена установки
     */
    actor: string;
    user_id: string | null;
    /**
     * null — сессия
     */
    token_id: string | null;
    ip: string;
    /**
     * operationId из этого описания
     */
    operation: string;
    /**
     * Параметры пути, без id посетителей и пользователей сайтов
     */
    params: {
        [key: string]: unknown | string;
    };
    /**
     * Имена переданных полей; значений журнал не хранит
     */
    fields: Array<string>;
    /**
     * Чем ответил сервер
     */
    status: number;
    request_id: string;
};

export type AuditPage = {
    items: Array<AuditEntry>;
    next_cursor: string | null;
};

export type Project = {
    id: string;
    title: string;
    state: 'active' | 'suspended' | 'archived';
    /**
     * Единиц анализа в месяц; null — без предела
     */
    monthly_volume: number | null;
    fingerprints: boolean;
    /**
     * На каком языке пишет анализ: auto — на языке самого объекта, иначе код ISO 639-1. Действует на новые результаты
     */
    language: string;
    /**
     * Темы, из которых выбирает анализ; пусто — любые
     */
    topics: Array<string>;
    /**
     * Сайт, на страницах которого объекты проекта; null — не связан либо сайт вызывающему не виден
     */
    site_id: string | null;
    limits: {
        requests_per_second: number;
        output_per_second: number;
    };
    created_at: string;
};

export type ProjectPage = {
    items: Array<Project>;
    next_cursor: string | null;
};

export type ProjectCreate = {
    title: string;
};

export type ProjectPatch = {
    title?: string;
    state?: 'active' | 'suspended' | 'archived';
    /**
     * Единиц анализа в месяц; null — без предела
     */
    monthly_volume?: number | null;
    fingerprints?: boolean;
    /**
     * На каком языке пишет анализ: auto — на языке самого объекта, иначе код ISO 639-1. Действует на новые результаты
     */
    language?: string;
    /**
     * Темы, из которых выбирает анализ; пусто — любые. Без пробелов по краям; темы, которые отличаются только регистром, — повтор. Действует на новые результаты
     */
    topics?: Array<string>;
    /**
     * Сайт, на страницах которого объекты проекта; null — не связан либо сайт вызывающему не виден
     */
    site_id?: string | null;
    /**
     * null возвращает значение по умолчанию
     */
    limits?: {
        requests_per_second?: number | null;
        output_per_second?: number | null;
    };
};

export type ProjectKey = {
    id: string;
    name: string;
    /**
     * Первые 8 символов ключа
     */
    prefix: string;
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
};

export type ProjectKeyPage = {
    items: Array<ProjectKey>;
    next_cursor: string | null;
};

export type KeyCreate = {
    name: string;
};

export type NewProjectKey = {
    id: string;
    name: string;
    /**
     * Первые 8 символов ключа
     */
    prefix: string;
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
    /**
     * Показывается один раз
     */
    key: string;
};

export type KeyRevoked = {
    id: string;
    revoked: boolean;
};

export type EventTypeOut = {
    code: string;
    title: string;
    /**
     * fact — факты, max — наибольшее значение, state — последнее значение
     */
    mode: 'fact' | 'max' | 'state';
    /**
     * Может быть отрицательным
     */
    weight: number;
    value_kind: 'none' | 'number' | 'percent' | 'watch_seconds';
    /**
     * Пороги значения и множители вовлечённости с этого порога
     */
    value_map: {
        [key: string]: number;
    } | null;
    /**
     * Секунды, для fact: второе событие того же пользователя и объекта внутри окна — дубликат; 0 — без окна
     */
    dedup_window_sec: number;
    /**
     * Дней после события, когда объект и похожие не показываются
     */
    suppress_similar_days: number;
    is_impression: boolean;
    is_open: boolean;
    is_goal: boolean;
    is_purchase: boolean;
    hides_item: boolean;
    is_active: boolean;
};

export type EventTypePage = {
    items: Array<EventTypeOut>;
    next_cursor: string | null;
};

export type EventTypePut = {
    title: string;
    /**
     * fact — факты, max — наибольшее значение, state — последнее значение
     */
    mode: 'fact' | 'max' | 'state';
    /**
     * Может быть отрицательным
     */
    weight: number;
    value_kind: 'none' | 'number' | 'percent' | 'watch_seconds';
    /**
     * Пороги значения и множители вовлечённости с этого порога
     */
    value_map?: {
        [key: string]: number;
    } | null;
    /**
     * Секунды, для fact: второе событие того же пользователя и объекта внутри окна — дубликат; 0 — без окна
     */
    dedup_window_sec?: number;
    /**
     * Дней после события, когда объект и похожие не показываются
     */
    suppress_similar_days?: number;
    is_impression?: boolean;
    is_open?: boolean;
    is_goal?: boolean;
    is_purchase?: boolean;
    hides_item?: boolean;
    is_active?: boolean;
};

/**
 * Кому принадлежит событие: устройство учётной записи — учётной записи
 */
export type SentUser = {
    user_id: string | null;
    anonymous_id: string | null;
    fingerprint_uuid: string | null;
};

export type ProjectEvent = {
    /**
     * null у max и state: хранится событие, которое засчитано, без его id
     */
    id: string | null;
    type: string;
    item: string;
    user: SentUser;
    value: number | null;
    occurred_at: string;
    received_at: string;
    recommendation_id: string | null;
    surface: string | null;
    position: number | null;
    order_id: string | null;
    quantity: number | null;
    price: number | null;
};

export type RejectedEvent = {
    code: 'unknown_type' | 'inactive_type' | 'unknown_item' | 'no_user' | 'invalid_user' | 'invalid_value' | 'too_old' | 'order_managed';
    /**
     * null — такого id быть не может; так же с type, item и user
     */
    id: string | null;
    type: string | null;
    item: string | null;
    user: SentUser;
    received_at: string;
};

export type ImpressionCounter = {
    /**
     * День UTC
     */
    day: string;
    /**
     * null — не названа
     */
    surface: string | null;
    /**
     * Первая позиция корзины: 0–4, 5, 10, 20, 50, 100; null — не названа
     */
    position: number | null;
    count: number;
};

export type ProjectOrderLine = {
    item: string;
    quantity: number;
    price: number | null;
};

export type ProjectOrder = {
    order_id: string;
    status: 'created' | 'cancelled';
    occurred_at: string;
    updated_at: string;
    items: Array<ProjectOrderLine>;
};

export type ProjectEvents = {
    items: Array<ProjectEvent>;
    next_cursor: string | null;
    /**
     * Отклонённые за сутки, до 100 последних; на первой странице
     */
    rejected: Array<RejectedEvent>;
    /**
     * Показы объекта за 31 день; с item, на первой странице. По одному показы не хранятся. Сверх 1 000 счётчиков наименьшие сложены по дням, без поверхности и позиции
     */
    impressions: Array<ImpressionCounter>;
    /**
     * Заказы пользователя, до 100 последних; с идентификатором пользователя, на первой странице
     */
    orders: Array<ProjectOrder>;
};

export type LatestEvents = {
    /**
     * Полученные последними — первыми
     */
    items: Array<ProjectEvent>;
    /**
     * Отклонённые за сутки, полученные последними — первыми
     */
    rejected: Array<RejectedEvent>;
};

export type UserIdentifier = {
    kind: 'user_id' | 'anonymous_id' | 'fingerprint_uuid';
    id: string;
    since: string;
};

export type StoredProfile = {
    /**
     * Чей это профиль: учётной записи или анонимный
     */
    identity: 'user' | 'anonymous';
    gender: 'male' | 'female' | null;
    birth_year: number | null;
    city: string | null;
    country: string | null;
    interests: Array<string> | null;
    excluded_interests: Array<string> | null;
    followed_authors: Array<string> | null;
    hidden_authors: Array<string> | null;
    personalization: boolean;
    attributes: {
        [key: string]: unknown;
    } | null;
    /**
     * Время последнего изменения каждого поля
     */
    fields_updated_at: {
        [key: string]: string;
    };
};

export type UserActivity = {
    type: string;
    events: number;
    last_at: string;
};

export type UserSignal = {
    item: string;
    title: string | null;
    /**
     * Вес типов событий × множитель значения × убывание со временем; меньше 0 — не нравится
     */
    weight: number;
};

export type NamedItem = {
    item: string;
    title: string | null;
};

/**
 * Из чего складываются рекомендации и что им запрещено
 */
export type UserTaste = {
    /**
     * false — человек от неё отказался: остальное, кроме исключений, пусто
     */
    personalization: boolean;
    /**
     * До 100 объектов, встреченный последним — первым
     */
    items: Array<UserSignal>;
    interests: Array<string>;
    followed_authors: Array<string>;
    hidden_authors: Array<string>;
    excluded_interests: Array<string>;
    /**
     * Скрыты событием, до 100
     */
    hidden_items: Array<NamedItem>;
    /**
     * Не показываются вместе с очень похожими, пока не истечёт suppress_similar_days, до 100
     */
    suppressed_items: Array<NamedItem>;
};

export type ProjectUser = {
    /**
     * Что ведёт к этому человеку, до 100 каждого рода; первый — главный
     */
    identifiers: Array<UserIdentifier>;
    profile: StoredProfile | null;
    /**
     * Сколько каких событий, последние — первыми. С каждого идентификатора считаются до 10000 последних. Показы по одному не хранятся
     */
    activity: Array<UserActivity>;
    taste: UserTaste;
};

export type ProjectUserDeleted = {
    deleted: boolean;
};

export type Property = {
    name: string;
    type: 'string' | 'number' | 'boolean' | 'datetime' | 'string_array';
    filterable: boolean;
};

export type PropertyPage = {
    items: Array<Property>;
    next_cursor: string | null;
};

export type PropertyPut = {
    type: 'string' | 'number' | 'boolean' | 'datetime' | 'string_array';
    /**
     * По свойству можно фильтровать; новые записи объектов обязаны держать его тип
     */
    filterable?: boolean;
};

export type OutputFilter = {
    /**
     * Свойство, объявленное фильтруемым
     */
    property: string;
    op: 'eq' | 'neq' | 'in' | 'not_in' | 'gt' | 'gte' | 'lt' | 'lte' | 'exists' | 'contains_any' | 'contains_all';
    /**
     * Список — для in, not_in, contains_any и contains_all; true или false — для exists
     */
    value: string | number | boolean | Array<string | number | boolean>;
};

export type OutputBoost = {
    filter: OutputFilter;
    /**
     * Больше 1 поднимает, меньше — опускает
     */
    factor: number;
};

export type OutputPin = {
    item: string;
    /**
     * С нуля, сквозная по страницам
     */
    position: number;
};

export type OutputVariant = {
    name: string;
    /**
     * Доля людей; 0 — больше никому
     */
    share: number;
    settings: {
        limit?: number;
        /**
         * Должны выполняться все
         */
        filters?: Array<OutputFilter>;
        /**
         * null — любые типы
         */
        types?: Array<'video' | 'image' | 'audio' | 'text' | 'mixed'> | null;
        /**
         * null — любые авторы
         */
        authors?: Array<string> | null;
        exclude_authors?: Array<string>;
        /**
         * В этот момент или позже
         */
        published_after?: string | null;
        /**
         * Раньше этого момента
         */
        published_before?: string | null;
        /**
         * Объект с неизвестным рейтингом не проходит
         */
        max_age_rating?: '0+' | '6+' | '12+' | '16+' | '18+' | null;
        exclude?: Array<string>;
        /**
         * Показывать ли то, с чем у пользователя уже были события
         */
        include_seen?: boolean;
        /**
         * Где находится пользователь, о котором ещё ничего не известно (feed)
         */
        context?: {
            city?: string | null;
            country?: string | null;
        } | null;
        /**
         * Насколько соседи в первой сотне должны различаться по содержанию (не в поиске)
         */
        diversity?: number;
        /**
         * Опускает то, что за эти часы пользователю уже показали, а он не открыл (не в поиске)
         */
        rotation_hours?: number;
        /**
         * Доля мест, начиная с третьего, на которых пробуются новые объекты (feed и next)
         */
        exploration?: number;
        fields?: Array<'title' | 'url' | 'author' | 'summary' | 'tags' | 'properties' | 'image_url'>;
        /**
         * Показать, из чего сложилась оценка каждого объекта
         */
        explain?: boolean;
        /**
         * Сколько объектов одного автора может быть на странице
         */
        max_per_author?: number;
        /**
         * Умножают оценку подошедших объектов и никогда не убирают остальные
         */
        boosts?: Array<OutputBoost>;
        /**
         * Ставятся на эти места, если правила их не запрещают
         */
        pins?: Array<OutputPin>;
        /**
         * id опубликованной модели, по которой ранжировать
         */
        model?: string;
    };
};

export type OutputExperiment = {
    /**
     * Один в проекте; он есть в recommendation_id
     */
    id: string;
    /**
     * С этого момента
     */
    from: string;
    /**
     * До этого момента; null — пока не снимут
     */
    until: string | null;
    /**
     * Доли в сумме дают 1 (с точностью 0.001), имена различны. Под тем же id имена остаются на своих местах, новые добавляются в конец
     */
    variants: Array<OutputVariant>;
};

export type Surface = {
    name: string;
    defaults: {
        limit?: number;
        /**
         * Должны выполняться все
         */
        filters?: Array<OutputFilter>;
        /**
         * null — любые типы
         */
        types?: Array<'video' | 'image' | 'audio' | 'text' | 'mixed'> | null;
        /**
         * null — любые авторы
         */
        authors?: Array<string> | null;
        exclude_authors?: Array<string>;
        /**
         * В этот момент или позже
         */
        published_after?: string | null;
        /**
         * Раньше этого момента
         */
        published_before?: string | null;
        /**
         * Объект с неизвестным рейтингом не проходит
         */
        max_age_rating?: '0+' | '6+' | '12+' | '16+' | '18+' | null;
        exclude?: Array<string>;
        /**
         * Показывать ли то, с чем у пользователя уже были события
         */
        include_seen?: boolean;
        /**
         * Где находится пользователь, о котором ещё ничего не известно (feed)
         */
        context?: {
            city?: string | null;
            country?: string | null;
        } | null;
        /**
         * Насколько соседи в первой сотне должны различаться по содержанию (не в поиске)
         */
        diversity?: number;
        /**
         * Опускает то, что за эти часы пользователю уже показали, а он не открыл (не в поиске)
         */
        rotation_hours?: number;
        /**
         * Доля мест, начиная с третьего, на которых пробуются новые объекты (feed и next)
         */
        exploration?: number;
        fields?: Array<'title' | 'url' | 'author' | 'summary' | 'tags' | 'properties' | 'image_url'>;
        /**
         * Показать, из чего сложилась оценка каждого объекта
         */
        explain?: boolean;
        /**
         * Сколько объектов одного автора может быть на странице
         */
        max_per_author?: number;
    };
    boosts: Array<{
        [key: string]: unknown;
    }>;
    pins: Array<{
        [key: string]: unknown;
    }>;
    experiment: OutputExperiment | null;
    updated_at: string;
};

export type SurfacePage = {
    items: Array<Surface>;
    next_cursor: string | null;
};

/**
 * Поля запроса; действуют, где запрос сам их не назвал
 */
export type SurfaceDefaults = {
    limit?: number;
    /**
     * Должны выполняться все
     */
    filters?: Array<OutputFilter>;
    /**
     * null — любые типы
     */
    types?: Array<'video' | 'image' | 'audio' | 'text' | 'mixed'> | null;
    /**
     * null — любые авторы
     */
    authors?: Array<string> | null;
    exclude_authors?: Array<string>;
    /**
     * В этот момент или позже
     */
    published_after?: string | null;
    /**
     * Раньше этого момента
     */
    published_before?: string | null;
    /**
     * Объект с неизвестным рейтингом не проходит
     */
    max_age_rating?: '0+' | '6+' | '12+' | '16+' | '18+' | null;
    exclude?: Array<string>;
    /**
     * Показывать ли то, с чем у пользователя уже были события
     */
    include_seen?: boolean;
    /**
     * Где находится пользователь, о котором ещё ничего не известно (feed)
     */
    context?: {
        city?: string | null;
        country?: string | null;
    } | null;
    /**
     * Насколько соседи в первой сотне должны различаться по содержанию (не в поиске)
     */
    diversity?: number;
    /**
     * Опускает то, что за эти часы пользователю уже показали, а он не открыл (не в поиске)
     */
    rotation_hours?: number;
    /**
     * Доля мест, начиная с третьего, на которых пробуются новые объекты (feed и next)
     */
    exploration?: number;
    fields?: Array<'title' | 'url' | 'author' | 'summary' | 'tags' | 'properties' | 'image_url'>;
    /**
     * Показать, из чего сложилась оценка каждого объекта
     */
    explain?: boolean;
    /**
     * Сколько объектов одного автора может быть на странице
     */
    max_per_author?: number;
};

/**
 * Поля запроса, которые у варианта другие, или модель
 */
export type VariantSettings = {
    limit?: number;
    /**
     * Должны выполняться все
     */
    filters?: Array<OutputFilter>;
    /**
     * null — любые типы
     */
    types?: Array<'video' | 'image' | 'audio' | 'text' | 'mixed'> | null;
    /**
     * null — любые авторы
     */
    authors?: Array<string> | null;
    exclude_authors?: Array<string>;
    /**
     * В этот момент или позже
     */
    published_after?: string | null;
    /**
     * Раньше этого момента
     */
    published_before?: string | null;
    /**
     * Объект с неизвестным рейтингом не проходит
     */
    max_age_rating?: '0+' | '6+' | '12+' | '16+' | '18+' | null;
    exclude?: Array<string>;
    /**
     * Показывать ли то, с чем у пользователя уже были события
     */
    include_seen?: boolean;
    /**
     * Где находится пользователь, о котором ещё ничего не известно (feed)
     */
    context?: {
        city?: string | null;
        country?: string | null;
    } | null;
    /**
     * Насколько соседи в первой сотне должны различаться по содержанию (не в поиске)
     */
    diversity?: number;
    /**
     * Опускает то, что за эти часы пользователю уже показали, а он не открыл (не в поиске)
     */
    rotation_hours?: number;
    /**
     * Доля мест, начиная с третьего, на которых пробуются новые объекты (feed и next)
     */
    exploration?: number;
    fields?: Array<'title' | 'url' | 'author' | 'summary' | 'tags' | 'properties' | 'image_url'>;
    /**
     * Показать, из чего сложилась оценка каждого объекта
     */
    explain?: boolean;
    /**
     * Сколько объектов одного автора может быть на странице
     */
    max_per_author?: number;
    /**
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
    /**
     * id опубликованной модели, по которой ранжировать
     */
    model?: string;
};

export type OutputVariantPut = {
    name: string;
    /**
     * Доля людей; 0 — больше никому
     */
    share: number;
    settings?: VariantSettings;
};

export type SurfacePut = {
    defaults?: SurfaceDefaults;
    /**
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
    experiment?: {
        /**
         * Один в проекте; он есть в recommendation_id
         */
        id: string;
        /**
         * С этого момента
         */
        from: string;
        /**
         * До этого момента; null — пока не снимут
         */
        until?: string | null;
        /**
         * Доли в сумме дают 1 (с точностью 0.001), имена различны. Под тем же id имена остаются на своих местах, новые добавляются в конец
         */
        variants: Array<OutputVariantPut>;
    } | null;
};

export type SurfaceDeleted = {
    name: string;
    deleted: boolean;
};

export type ReportedVariant = {
    experiment: string;
    index: number;
    name: string | null;
};

/**
 * На один запрос; low и high — границы 95 % по людям, null — людей меньше двух или доля у всех одна и та же
 */
export type OutputRate = {
    value: number;
    low: number | null;
    high: number | null;
};

export type OutputRates = {
    opens: OutputRate | null;
    goals: OutputRate | null;
    purchases: OutputRate | null;
    revenue: OutputRate | null;
};

export type OutputReportRow = {
    /**
     * null — место не названо
     */
    surface?: string | null;
    /**
     * 0–4 по одной, 5–9, 10–19, 20–49, 50–99 и дальше — по первой; −1 — показ без позиции
     */
    position?: number;
    variant?: ReportedVariant | null;
    /**
     * UTC, день запроса; у показов — день показа
     */
    day?: string;
    /**
     * Страницы ответов, где была такая позиция
     */
    requests: number;
    /**
     * Запрос без человека — отдельный человек
     */
    people: number;
    fallback_share: number | null;
    latency_ms: {
        p50: number | null;
        p95: number | null;
    };
    /**
     * События показа, назвавшие recommendation_id
     */
    impressions: number;
    opens: number;
    goals: number;
    purchases: number;
    /**
     * Цена на количество, в деньгах проекта
     */
    revenue: number;
    rates: OutputRates;
};

/**
 * difference — насколько больше, чем у первого варианта
 */
export type ExperimentVariant = {
    name: string;
    share: number;
    /**
     * Примерно столько разных людей получили ответ с последнего изменения долей или настроек, независимо от дней отчёта; запрос без человека — отдельный человек
     */
    people: number;
    requests: number;
    rates: OutputRates;
    difference: OutputRates | null;
};

export type ExperimentReport = {
    id: string;
    surface: string;
    variants: Array<ExperimentVariant>;
    /**
     * Вероятность такого или большего отклонения от долей (хи-квадрат) среди людей, получивших ответ с последнего изменения долей или настроек; больше 16384 людей проверяются по выборке
     */
    sample_ratio_p: number | null;
};

export type OutputWarning = {
    code: 'shared_learning' | 'sample_ratio' | 'experiment_changed' | 'truncated';
    experiment: string | null;
    message: string;
};

export type OutputReport = {
    from: string;
    until: string;
    group: Array<'surface' | 'position' | 'variant' | 'day'>;
    rows: Array<OutputReportRow>;
    experiments: Array<ExperimentReport>;
    warnings: Array<OutputWarning>;
};

export type SynonymRow = {
    /**
     * Слова или словосочетания
     */
    words: Array<string>;
    /**
     * Что находят и они; без этого поля все words заменяют друг друга
     */
    to?: Array<string>;
};

export type Synonyms = {
    synonyms: Array<SynonymRow>;
};

export type OutputPreview = {
    /**
     * Путь content API без /recommendations/
     */
    path: 'feed' | 'next' | 'together' | 'popular' | 'similar' | 'search' | 'search/suggest';
    /**
     * Тело запроса этого пути
     */
    request: {
        [key: string]: unknown;
    };
    /**
     * false — как если бы пользователь отказался от персонализации; его исключения действуют
     */
    personalization?: boolean;
};

export type OutputExplanation = {
    /**
     * Объект, с которым сравнивали
     */
    subject?: string;
    /**
     * Близость по содержанию, от −1 до 1
     */
    cosine?: number;
    /**
     * Модель, по векторам которой сравнивали
     */
    model?: string;
    /**
     * Сколько внесли вкус (taste), следующее (transition), содержание (content), то же у мало кому показанного (unmet), интересы (interests), авторы из подписок (authors), тот же автор (author), встреченное вместе (together), популярность (popularity) и новизна (recency). В fallback — только популярность. В popular — взвешенное число людей: везде (popularity) и в регионе (region), и рост в стандартных отклонениях (trend). В together — сумма весов пар (together) и близость (content). В similar, пока у объекта нет вектора, — тот же автор (author) и новизна (recency). В поиске — слова (words) и смысл (meaning), из которых состоит relevance, и сколько вкус (taste) добавил к месту, но не к оценке. У закреплённого — пусто: его место задано
     */
    parts?: {
        [key: string]: unknown | number;
    };
    /**
     * Во сколько раз оценку изменили boosts и rotation_hours
     */
    factor?: number;
    /**
     * Соответствие запросу по словам и смыслу
     */
    relevance?: number;
    /**
     * Новизна, если сравнивать не с чем
     */
    published_at?: string;
};

export type OutputItem = {
    id: string;
    /**
     * С нуля, сквозная по страницам
     */
    position: number;
    /**
     * Сравнима только внутри одного ответа
     */
    score: number;
    reason: {
        code: 'because_item' | 'similar' | 'together' | 'interest' | 'author' | 'popular' | 'trending' | 'region' | 'new' | 'pinned' | 'match';
        item?: string;
        value?: string;
    };
    /**
     * Запрошенные поля
     */
    fields?: {
        [key: string]: unknown;
    };
    explain?: OutputExplanation;
};

export type OutputResponse = {
    /**
     * Передавайте его в событиях, которые пришли с этой выдачи
     */
    recommendation_id: string;
    /**
     * personal — по сигналам пользователя, contextual — только по объекту или месту, popular, fallback — подбор не успел
     */
    mode: 'personal' | 'contextual' | 'popular' | 'fallback' | 'hybrid' | 'lexical';
    model: string | null;
    items: Array<OutputItem>;
    /**
     * null — дальше страниц нет
     */
    next_cursor: string | null;
};

export type SearchHighlight = {
    field: 'title' | 'tags' | 'summary' | 'text';
    text: string;
    ranges: Array<[
        number,
        number
    ]>;
};

/**
 * Кадр, по которому объект найден; есть только у места, найденного по виду
 */
export type SearchFrame = {
    /**
     * Секунды от начала медиа; null у изображения
     */
    ts: number | null;
    /**
     * Подписанная ссылка, действует час
     */
    image_url: string;
};

export type SearchChunk = {
    /**
     * Место медиа в объекте
     */
    media_position: number;
    start_sec: number | null;
    end_sec: number | null;
    text: string;
    /**
     * Название главы, если запись разделена на главы
     */
    chapter?: string;
    frame?: SearchFrame;
};

export type SearchItem = {
    id: string;
    /**
     * С нуля, сквозная по страницам
     */
    position: number;
    /**
     * Сравнима только внутри одного ответа
     */
    score: number;
    reason: {
        code: 'because_item' | 'similar' | 'together' | 'interest' | 'author' | 'popular' | 'trending' | 'region' | 'new' | 'pinned' | 'match';
        item?: string;
        value?: string;
    };
    /**
     * Запрошенные поля
     */
    fields?: {
        [key: string]: unknown;
    };
    explain?: OutputExplanation;
    highlights: Array<SearchHighlight>;
    /**
     * До трёх мест медиа, где это сказано или показано
     */
    chunks: Array<SearchChunk>;
};

export type SearchTotal = {
    value: number;
    /**
     * gte — больше 10000
     */
    relation: 'eq' | 'gte';
};

export type FacetValue = {
    value: string | number | boolean;
    count: number;
};

export type SearchResponse = {
    /**
     * Передавайте его в событиях, которые пришли с этой выдачи
     */
    recommendation_id: string;
    /**
     * hybrid — слова и смысл, lexical — только слова, fallback — слова названий: подбор не успел
     */
    mode: 'hybrid' | 'lexical' | 'fallback';
    model: string | null;
    items: Array<SearchItem>;
    /**
     * null — дальше страниц нет
     */
    next_cursor: string | null;
    total: SearchTotal;
    /**
     * По имени — до 100 самых частых значений
     */
    facets: {
        [key: string]: unknown | Array<FacetValue>;
    };
    /**
     * Как понят запрос, если не так, как написан
     */
    corrected_query: string | null;
};

export type Suggestion = {
    text: string;
    kind: 'query' | 'title' | 'author' | 'tag';
    highlights: Array<[
        number,
        number
    ]>;
};

export type SuggestResponse = {
    suggestions: Array<Suggestion>;
};

export type OutputObstacles = {
    item: string;
    /**
     * Путь content API без /recommendations/
     */
    path: 'feed' | 'next' | 'together' | 'popular' | 'similar' | 'search' | 'search/suggest';
    /**
     * Тело запроса этого пути
     */
    request: {
        [key: string]: unknown;
    };
    /**
     * false — как если бы пользователь отказался от персонализации; его исключения действуют
     */
    personalization?: boolean;
};

export type OutputObstacle = {
    code: 'unknown' | 'deleted' | 'unavailable' | 'failed' | 'subject' | 'excluded' | 'hidden' | 'suppressed' | 'near_suppressed' | 'met_with_suppressed' | 'seen' | 'type' | 'author' | 'excluded_author' | 'hidden_author' | 'published_after' | 'published_before' | 'age_rating' | 'interest' | 'filter';
    /**
     * Что у объекта мешает: тип, автор, рейтинг, время; у filter — свойство
     */
    value: string | null;
};

export type PlaceOfItem = {
    /**
     * shown — на первой странице; kept_out — не пускают правила; author_limit — места автора заняты; below — ниже; not_ranked — правила не мешают, но подбор до него не доходит
     */
    state: 'shown' | 'kept_out' | 'author_limit' | 'below' | 'not_ranked';
    /**
     * Как в самом ответе
     */
    mode: 'personal' | 'contextual' | 'popular' | 'fallback' | 'hybrid' | 'lexical';
    /**
     * Место с нуля; null — на странице его нет
     */
    position: number | null;
    /**
     * Какой по счёту без ограничений страницы, с единицы; null — не среди первых 100 или не пускают правила
     */
    rank: number | null;
    /**
     * Все правила, которые не пускают объект
     */
    obstacles: Array<OutputObstacle>;
};

/**
 * Состояния шагов анализа
 */
export type Processing = {
    prepare: 'queued' | 'running' | 'done' | 'skipped' | 'failed' | 'deferred' | 'waiting';
    speech: 'queued' | 'running' | 'done' | 'skipped' | 'failed' | 'deferred' | 'waiting';
    vision: 'queued' | 'running' | 'done' | 'skipped' | 'failed' | 'deferred' | 'waiting';
    summary: 'queued' | 'running' | 'done' | 'skipped' | 'failed' | 'deferred' | 'waiting';
    embedding: 'queued' | 'running' | 'done' | 'skipped' | 'failed' | 'deferred' | 'waiting';
};

export type StepError = {
    code: string;
    message: string;
    media_position?: number;
};

export type CabinetItem = {
    id: string;
    type: 'video' | 'image' | 'audio' | 'text' | 'mixed';
    title: string | null;
    origin: 'api' | 'import' | 'order';
    available: boolean;
    deleted: boolean;
    status: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred';
    processing: Processing;
    /**
     * Почему шаг не выполнен, отложен или пропущен; поля нет, когда объяснять нечего
     */
    processing_errors?: {
        prepare?: StepError;
        speech?: StepError;
        vision?: StepError;
        summary?: StepError;
        embedding?: StepError;
    };
    age_rating: '0+' | '6+' | '12+' | '16+' | '18+' | null;
    /**
     * null — не оценено
     */
    moderation_level: 'none' | 'low' | 'medium' | 'high' | null;
    /**
     * Картинка объекта: подписанная ссылка, действует час
     */
    thumb_url: string | null;
    updated_at: string;
};

export type CabinetItemPage = {
    items: Array<CabinetItem>;
    next_cursor: string | null;
};

export type PlayedMedium = {
    position: number;
    kind: 'video' | 'audio' | 'image';
    url: string;
    duration_sec: number | null;
    width: number | null;
    height: number | null;
    status: 'new' | 'ready' | 'failed';
    /**
     * Как передано; при другой версии медиа обрабатывается заново
     */
    version: string | null;
    /**
     * То же медиа с адреса сервиса: подписанная ссылка, действует час
     */
    play_url: string;
};

export type Moderation = {
    level: 'none' | 'low' | 'medium' | 'high' | null;
    categories: {
        [key: string]: unknown;
    } | null;
    evidence: Array<{
        [key: string]: unknown;
    }> | null;
};

export type ChapterOut = {
    media_position: number;
    /**
     * Секунды от начала медиа
     */
    start: number;
    end: number;
    /**
     * До 100 символов
     */
    title: string;
};

export type SummaryOut = {
    summary: string;
    description: string | null;
    topics: Array<string>;
    tags: Array<string>;
    entities: Array<{
        [key: string]: unknown;
    }>;
    language: string | null;
    age_rating: '0+' | '6+' | '12+' | '16+' | '18+' | null;
    moderation: Moderation | null;
    /**
     * Главы видео и аудио по порядку, без промежутков: те, что есть в самом файле, иначе по тексту речи; тогда поля нет у коротких записей и записей без речи
     */
    chapters?: Array<ChapterOut>;
};

export type TranscriptOut = {
    media_position: number;
    language: string | null;
    timestamps: 'model' | 'estimated';
    text: string;
    segments: Array<{
        start: number;
        end: number;
        text: string;
        speaker: string | null;
    }>;
};

export type FrameOut = {
    media_position: number;
    /**
     * Секунды от начала медиа
     */
    ts: number;
    /**
     * Время кадра-оригинала
     */
    duplicate_of_ts: number | null;
    description: string;
    ocr_text: string | null;
    tags: Array<string> | null;
    safety: {
        [key: string]: unknown;
    } | null;
    /**
     * Подписанная ссылка, действует час
     */
    image_url: string | null;
};

export type SearchChunkOut = {
    media_position: number | null;
    start_sec: number | null;
    end_sec: number | null;
    text: string;
};

export type StepDetail = {
    state: 'queued' | 'running' | 'done' | 'skipped' | 'failed' | 'deferred' | 'waiting';
    /**
     * Чем получен результат; null, если это неизвестно
     */
    model: string | null;
    /**
     * Когда отложенный шаг будет повторён
     */
    retry_at: string | null;
};

export type StepDetails = {
    prepare: StepDetail;
    speech: StepDetail;
    vision: StepDetail;
    summary: StepDetail;
    embedding: StepDetail;
};

export type EvidencePlace = {
    /**
     * Где это: frame — надпись на кадре, picture — сам кадр или изображение, transcript — речь
     */
    part: 'title' | 'description' | 'body' | 'transcript' | 'frame' | 'picture';
    /**
     * Чьё это медиа; null у текстов самого объекта
     */
    media_position: number | null;
    /**
     * Секунды от начала медиа; null, если момент неизвестен
     */
    ts: number | null;
    /**
     * Начало внутри этого текста, в единицах UTF-16
     */
    offset: number;
    /**
     * Длина; 0 у picture
     */
    length: number;
};

export type ModerationEvidence = {
    category: string;
    level: 'none' | 'low' | 'medium' | 'high' | null;
    /**
     * Уверенность модели, 0–1
     */
    score: number | null;
    /**
     * Сколько раз встретилось
     */
    count: number | null;
    /**
     * Слова вокруг, найденное скрыто звёздочками
     */
    excerpt: string | null;
    place: EvidencePlace | null;
};

export type CabinetItemDetail = {
    id: string;
    type: 'video' | 'image' | 'audio' | 'text' | 'mixed';
    title: string | null;
    description: string | null;
    author: string | null;
    url: string | null;
    published_at: string | null;
    properties: {
        [key: string]: unknown;
    } | null;
    origin: 'api' | 'import' | 'order';
    available: boolean;
    deleted: boolean;
    status: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred';
    processing: Processing;
    /**
     * Почему шаг не выполнен, отложен или пропущен; поля нет, когда объяснять нечего
     */
    processing_errors?: {
        prepare?: StepError;
        speech?: StepError;
        vision?: StepError;
        summary?: StepError;
        embedding?: StepError;
    };
    updated_at: string;
    media: Array<PlayedMedium>;
    summary: SummaryOut | null;
    moderation?: Moderation;
    /**
     * Только при include=transcript
     */
    transcript?: Array<TranscriptOut> | null;
    /**
     * Только при include=frames
     */
    frames?: Array<FrameOut> | null;
    /**
     * Только при include=search_chunks
     */
    search_chunks?: Array<SearchChunkOut> | null;
    steps: StepDetails;
    /**
     * Только при include=body
     */
    body?: string | null;
    /**
     * Только при include=evidence: на чём основана модерация, с местом в объекте
     */
    evidence?: Array<ModerationEvidence>;
};

export type ItemTypeDay = {
    type: string;
    /**
     * Разные люди за день
     */
    people: number;
    /**
     * max и state — по одному на человека, в день засчитанного события; снятые состояния не считаются
     */
    events: number;
    /**
     * Среднее значение; null — ни у одного события его не было
     */
    value_average: number | null;
    /**
     * Цена на количество, в деньгах проекта
     */
    revenue: number;
};

export type ItemStatisticsDay = {
    day: string;
    impressions: number;
    /**
     * Только те, что были в этот день
     */
    types: Array<ItemTypeDay>;
};

export type ItemTypeTotal = {
    type: string;
    title: string;
    value_kind: 'none' | 'number' | 'percent' | 'watch_seconds';
    is_open: boolean;
    is_goal: boolean;
    is_purchase: boolean;
    /**
     * Разные люди за период; null — событий слишком много
     */
    people: number | null;
    /**
     * max и state — по одному на человека, в день засчитанного события; снятые состояния не считаются
     */
    events: number;
    /**
     * Среднее значение; null — ни у одного события его не было
     */
    value_average: number | null;
    /**
     * Цена на количество, в деньгах проекта
     */
    revenue: number;
};

export type ItemStatisticsTotals = {
    impressions: number;
    /**
     * Разные люди с любым событием за период; null — событий больше 20 000
     */
    people: number | null;
    /**
     * Только те, что были; чаще — раньше
     */
    types: Array<ItemTypeTotal>;
};

export type ItemTypeLeft = {
    type: string;
    events: number;
};

export type ItemStatistics = {
    from: string;
    to: string;
    /**
     * Каждый день, по порядку
     */
    days: Array<ItemStatisticsDay>;
    totals: ItemStatisticsTotals;
    /**
     * Что осталось от удалённых пользователей за всё время: суммы без дней и людей; в days и totals их нет
     */
    of_deleted: Array<ItemTypeLeft>;
};

export type MediaIn = {
    kind: 'video' | 'audio' | 'image';
    /**
     * Адрес https
     */
    url: string;
    /**
     * Другая версия — медиа обрабатывается заново
     */
    version?: string | null;
};

export type ItemPutRequest = unknown & {
    type: 'video' | 'image' | 'audio' | 'text' | 'mixed';
    title?: string | null;
    description?: string | null;
    /**
     * Основной текст
     */
    body?: string | null;
    /**
     * Идентификатор автора у клиента
     */
    author?: string | null;
    /**
     * Ссылка на сайте клиента
     */
    url?: string | null;
    /**
     * По умолчанию — время создания
     */
    published_at?: string | null;
    /**
     * Любые данные, до 16 КБ
     */
    properties?: {
        [key: string]: unknown;
    } | null;
    /**
     * Можно ли показывать объект в выдаче
     */
    available?: boolean;
    /**
     * По порядку; у video, image и audio нужно хотя бы одно медиа своего вида, у text медиа нет
     */
    media?: Array<MediaIn> | null;
};

export type ItemWriteResponse = {
    id: string;
    status: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred';
    available: boolean;
    deleted: boolean;
    processing: Processing;
};

export type ItemPatchRequest = {
    title?: string | null;
    description?: string | null;
    /**
     * Основной текст
     */
    body?: string | null;
    /**
     * Идентификатор автора у клиента
     */
    author?: string | null;
    /**
     * Ссылка на сайте клиента
     */
    url?: string | null;
    /**
     * По умолчанию — время создания
     */
    published_at?: string | null;
    /**
     * Любые данные, до 16 КБ
     */
    properties?: {
        [key: string]: unknown;
    } | null;
    /**
     * Можно ли показывать объект в выдаче
     */
    available?: boolean;
    /**
     * По порядку; у video, image и audio нужно хотя бы одно медиа своего вида, у text медиа нет
     */
    media?: Array<MediaIn>;
};

export type ItemDeleteResponse = {
    id: string;
    deleted: boolean;
};

export type ReprocessRequest = {
    steps?: Array<'speech' | 'vision' | 'summary' | 'embedding'> | null;
};

export type Import = {
    id: string;
    /**
     * done — файл прочитан до конца; failed — файл или его остаток прочитать не удалось, причина — в последней ошибке
     */
    state: 'queued' | 'running' | 'done' | 'failed';
    format: 'jsonl' | 'csv';
    /**
     * Строк прочитано; пустые не считаются
     */
    lines: number;
    /**
     * Из них записано
     */
    done: number;
    /**
     * Из них с ошибкой
     */
    failed: number;
    /**
     * Доля прочитанного файла, 0–1
     */
    progress: number;
    created_at: string;
    finished_at: string | null;
};

export type ImportPage = {
    items: Array<Import>;
    next_cursor: string | null;
};

export type ImportFault = {
    field: string;
    code: string;
    message: string;
    /**
     * Предел, который превышен
     */
    limit?: number;
    /**
     * Возможные значения
     */
    allowed?: Array<string>;
};

export type ImportLineError = {
    /**
     * Номер строки файла, с 1; у записи CSV — первой из её строк
     */
    line: number;
    /**
     * Идентификатор объекта, если он прочитан
     */
    id: string | null;
    code: string;
    message: string;
    details: Array<ImportFault>;
};

export type ImportWithErrors = {
    id: string;
    /**
     * done — файл прочитан до конца; failed — файл или его остаток прочитать не удалось, причина — в последней ошибке
     */
    state: 'queued' | 'running' | 'done' | 'failed';
    format: 'jsonl' | 'csv';
    /**
     * Строк прочитано; пустые не считаются
     */
    lines: number;
    /**
     * Из них записано
     */
    done: number;
    /**
     * Из них с ошибкой
     */
    failed: number;
    /**
     * Доля прочитанного файла, 0–1
     */
    progress: number;
    created_at: string;
    finished_at: string | null;
    /**
     * Первые 1000 ошибок по порядку строк и та, на которой импорт прекращён (failed)
     */
    errors: Array<ImportLineError>;
};

/**
 * Неудалённые объекты по статусам
 */
export type ItemCounts = {
    queued: number;
    processing: number;
    ready: number;
    partial: number;
    failed: number;
    deferred: number;
};

export type StepCounts = {
    queued: number;
    running: number;
    done: number;
    skipped: number;
    failed: number;
    deferred: number;
    waiting: number;
};

/**
 * Объекты по состояниям шагов; queued — шаг ждёт очереди или предыдущего шага, даже отложенного
 */
export type PipelineSteps = {
    prepare: StepCounts;
    speech: StepCounts;
    vision: StepCounts;
    summary: StepCounts;
    embedding: StepCounts;
};

export type StepReason = {
    step: 'prepare' | 'speech' | 'vision' | 'summary' | 'embedding';
    state: 'failed' | 'deferred' | 'skipped';
    /**
     * Код из processing_errors
     */
    code: string;
    items: number;
};

export type WaitingItem = {
    id: string;
    title: string | null;
    status: 'queued' | 'processing' | 'deferred';
    processing: Processing;
    /**
     * Почему шаг не выполнен, отложен или пропущен; поля нет, когда объяснять нечего
     */
    processing_errors?: {
        prepare?: StepError;
        speech?: StepError;
        vision?: StepError;
        summary?: StepError;
        embedding?: StepError;
    };
    /**
     * Когда объект изменён, у него сменился статус или завершился один из шагов: speech, vision, summary, embedding
     */
    since: string;
};

export type PipelineHour = {
    /**
     * Начало часа
     */
    hour: string;
    /**
     * Объектов поставлено на анализ
     */
    queued: number;
    /**
     * Анализ закончен: всё готово
     */
    ready: number;
    /**
     * Анализ закончен: готово частично
     */
    partial: number;
    /**
     * Анализ закончен: не удался
     */
    failed: number;
};

export type Pipeline = {
    /**
     * false — сразу после обновления, пока объекты, записанные до него, ещё не посчитаны
     */
    counted: boolean;
    items: ItemCounts;
    steps: PipelineSteps;
    /**
     * Почему шаги не выполнены, частые причины первыми
     */
    reasons: Array<StepReason>;
    /**
     * До 10 объектов, чей анализ не закончен дольше всех
     */
    oldest: Array<WaitingItem>;
    /**
     * Последние 48 часов по порядку, текущий — последний
     */
    hours: Array<PipelineHour>;
};

export type RerunRequest = {
    status?: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred' | null;
    steps?: Array<'speech' | 'vision' | 'summary' | 'embedding'> | null;
    /**
     * Только объекты, у которых один из названных шагов (без steps — любой) не выполнен по этой причине
     */
    error_code?: string | null;
};

export type Rerun = {
    id: string;
    reason: 'request' | 'model';
    /**
     * replaced — его место занял анализ после следующей смены моделей; cancelled — остановлен
     */
    state: 'running' | 'done' | 'replaced' | 'cancelled';
    status: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred' | null;
    steps: Array<'prepare' | 'speech' | 'vision' | 'summary' | 'embedding'> | null;
    error_code: string | null;
    /**
     * Просмотрено объектов, удалённые в их числе
     */
    seen: number;
    /**
     * Из них поставлено на новый анализ
     */
    done: number;
    created_at: string;
    updated_at: string;
};

export type RerunPage = {
    items: Array<Rerun>;
    next_cursor: string | null;
};

export type Model = {
    id: string;
    /**
     * full — обучение на всех событиях; changes — обновление опубликованной модели там, где что-то изменилось
     */
    kind: 'full' | 'changes';
    /**
     * Действует та из published, что закончена последней. Пока таких нет, по последней rejected подбирается только то, что заказывают вместе (/recommendations/together)
     */
    state: 'training' | 'published' | 'rejected' | 'failed';
    started_at: string;
    finished_at: string | null;
    /**
     * Положительных событий, по которым обучена; null, пока не прочитано
     */
    events: number | null;
    /**
     * Объектов; null, пока не прочитано
     */
    items: number | null;
    /**
     * Пользователей; null, пока не прочитано
     */
    people: number | null;
    /**
     * У changes — качество модели, которую она обновляет
     */
    quality: {
        /**
         * nDCG@10 на последнем отрезке времени, а если в нём вернулось меньше 20 пользователей — на последнем новом объекте каждого
         */
        ndcg: number;
        /**
         * recall@10 там же
         */
        recall: number;
        /**
         * nDCG@10 там же у популярного за 7 дней до этого отрезка, а без него — за последние 7 дней
         */
        popular_7d: number;
    } | null;
    /**
     * Почему не опубликована: too_little_data — мало событий или вернувшихся пользователей; below_popularity — не лучше популярного; internal — обучение не удалось
     */
    reason: 'too_little_data' | 'below_popularity' | 'internal' | null;
};

export type ModelPage = {
    items: Array<Model>;
    next_cursor: string | null;
};

export type UsageOfDay = {
    /**
     * День по московскому времени
     */
    day: string;
    /**
     * Израсходовано единиц
     */
    used: number;
};

export type ModelUsage = {
    /**
     * Шаг анализа
     */
    step: string;
    /**
     * Шаг или то, что он делает сверх своего: moderation или pictures
     */
    capability: string;
    provider: string;
    model: string;
    calls: number;
    /**
     * Токены запросов; null — провайдер не сообщает
     */
    input_tokens: number | null;
    /**
     * Токены ответов; null — провайдер не сообщает
     */
    output_tokens: number | null;
    /**
     * Секунды звука; null — провайдер не сообщает
     */
    audio_seconds: number | null;
    /**
     * Изображения; null — провайдер не сообщает
     */
    images: number | null;
    /**
     * По нынешним ценам установки, в валюте currency; null — цена не известна
     */
    cost: number | null;
    /**
     * Обращения, которые в cost не вошли целиком: без цены или без данных о том, за что платят
     */
    unpriced_calls: number;
};

export type CapabilityCost = {
    /**
     * Возможность: шаг анализа, moderation или pictures
     */
    capability: string;
    /**
     * По нынешним ценам установки, в валюте currency; null — цена не известна
     */
    cost: number | null;
    /**
     * Обращения, которые в cost не вошли целиком: без цены или без данных о том, за что платят
     */
    unpriced_calls: number;
};

export type Usage = {
    /**
     * Месяц по московскому времени
     */
    month: string;
    /**
     * Израсходовано единиц
     */
    used: number;
    /**
     * Занято анализом, который идёт
     */
    reserved: number;
    /**
     * Сколько можно в месяц по нынешней настройке проекта; null — без предела
     */
    limit: number | null;
    /**
     * Дни, в которые израсходованы единицы этого месяца; анализ, начатый в конце месяца, может закончиться в следующем. Дни до обновления, с которым появился этот учёт, не известны
     */
    days: Array<UsageOfDay>;
    /**
     * Обращения к провайдерам за месяц
     */
    by: Array<ModelUsage>;
    /**
     * Валюта цен установки (ISO 4217); null — цены не заданы
     */
    currency: string | null;
    /**
     * Стоимость по возможностям
     */
    costs: Array<CapabilityCost>;
};

export type Webhook = {
    id: string;
    url: string;
    events: Array<'item.processed' | 'item.failed'>;
    enabled: boolean;
    /**
     * До этого времени первые попытки отложены: адрес не отвечает
     */
    held_until: string | null;
    /**
     * С этого времени новые события не ставятся в очередь: слишком много недоставленных
     */
    backlog_since: string | null;
    /**
     * Начало первой неудачной попытки после последнего ответа 2xx; неудачная проверка не в счёт
     */
    failing_since: string | null;
    /**
     * Сколько времени нет ответа 2xx; у выключенного — null
     */
    alert: 'failing_1h' | 'failing_24h' | null;
    created_at: string;
    updated_at: string;
};

export type WebhookPage = {
    items: Array<Webhook>;
    next_cursor: string | null;
};

export type WebhookCreate = {
    /**
     * https, публичный адрес
     */
    url: string;
    events: Array<'item.processed' | 'item.failed'>;
    enabled?: boolean;
};

export type NewWebhook = {
    id: string;
    url: string;
    events: Array<'item.processed' | 'item.failed'>;
    enabled: boolean;
    /**
     * До этого времени первые попытки отложены: адрес не отвечает
     */
    held_until: string | null;
    /**
     * С этого времени новые события не ставятся в очередь: слишком много недоставленных
     */
    backlog_since: string | null;
    /**
     * Начало первой неудачной попытки после последнего ответа 2xx; неудачная проверка не в счёт
     */
    failing_since: string | null;
    /**
     * Сколько времени нет ответа 2xx; у выключенного — null
     */
    alert: 'failing_1h' | 'failing_24h' | null;
    created_at: string;
    updated_at: string;
    /**
     * Показывается один раз
     */
    secret: string;
};

export type WebhookPatch = {
    /**
     * https, публичный адрес
     */
    url?: string;
    events?: Array<'item.processed' | 'item.failed'>;
    enabled?: boolean;
};

export type WebhookDeleted = {
    id: string;
    deleted: boolean;
};

export type RotatedSecret = {
    secret: string;
};

export type WebhookTestResult = {
    delivery_id: string;
    ok: boolean;
    /**
     * Код ответа адреса
     */
    status: number | null;
    code: 'timeout' | 'connection' | 'tls' | 'dns' | 'http_status' | 'redirect' | 'forbidden_address' | null;
    error: string | null;
};

export type TroubledWebhook = {
    project_id: string;
    project_title: string;
    id: string;
    url: string;
    events: Array<'item.processed' | 'item.failed'>;
    enabled: boolean;
    /**
     * До этого времени первые попытки отложены: адрес не отвечает
     */
    held_until: string | null;
    /**
     * С этого времени новые события не ставятся в очередь: слишком много недоставленных
     */
    backlog_since: string | null;
    /**
     * Начало первой неудачной попытки после последнего ответа 2xx; неудачная проверка не в счёт
     */
    failing_since: string | null;
    /**
     * Сколько времени нет ответа 2xx; у выключенного — null
     */
    alert: 'failing_1h' | 'failing_24h' | null;
    created_at: string;
    updated_at: string;
};

export type WebhookAlertPage = {
    items: Array<TroubledWebhook>;
    next_cursor: string | null;
};

export type Troubles = {
    /**
     * Проекты с объектами, анализ которых не удался за последние 7 дней
     */
    failed_items: Array<{
        project_id: string;
        project_title: string;
        /**
         * 100 — столько или больше
         */
        count: number;
        /**
         * Когда не удался последний
         */
        last_at: string;
    }>;
    /**
     * Сайты, у которых не было хитов ни сегодня, ни вчера
     */
    silent_sites: Array<{
        site_id: string;
        site_title: string;
        /**
         * День последнего хита, по Москве; null — хитов ещё не было
         */
        last_hit_on: string | null;
    }>;
};

export type InstallationPart = {
    /**
     * selection — по одной строке на каждый адрес SELECTION_URLS; temporal — по словам relay
     */
    part: 'postgresql' | 'temporal' | 'relay' | 'outbox' | 'selection' | 'ingest' | 'lake' | 'blobs' | 'backup';
    /**
     * unknown — спросить не у кого: молчит relay
     */
    state: 'ok' | 'degraded' | 'unreachable' | 'unknown';
    version: string | null;
    /**
     * Какой из нескольких
     */
    address: string | null;
    /**
     * relay — сколько молчит; outbox, ingest, lake — сколько ждёт самое старое; backup — сколько прошло с последней копии
     */
    seconds: number | null;
    /**
     * outbox — отвергнуто Temporal много раз; ingest, lake — отложено, потому что не разобрано
     */
    rejected: number | null;
};

export type InstallationDisk = {
    folder: 'work' | 'blobs' | 'lake';
    state: 'ok' | 'degraded' | 'unreachable' | 'unknown';
    free_bytes: number;
    total_bytes: number;
};

export type WorkEntry = {
    /**
     * С каких пор ждёт либо когда не удалось
     */
    at: string;
    project_id: string | null;
    site_id: string | null;
    /**
     * Объект, доставка, загрузка, выгрузка, модель; null у удалений людей
     */
    id: string | null;
    /**
     * Кто делает эту работу в Temporal; null — не workflow
     */
    workflow_id: string | null;
    /**
     * Его страница; null без TEMPORAL_UI_URL
     */
    workflow_url: string | null;
};

export type InstallationWork = {
    /**
     * deletions — удаления посетителей и пользователей; garbage — файлы, которые пора удалить
     */
    kind: 'items' | 'deliveries' | 'exports' | 'deletions' | 'garbage' | 'orders' | 'user-link' | 'user-delete' | 'import' | 'rerun' | 'webhook-recovery' | 'training';
    /**
     * 1000 — столько или больше
     */
    waiting: number;
    /**
     * Старейшие, не больше пяти
     */
    oldest: Array<WorkEntry>;
    /**
     * За последние 7 дней, 1000 — столько или больше; null — такая работа повторяется, пока не удастся
     */
    failed: number | null;
    /**
     * Последние неудачи, не больше пяти; объект и доставка — по одной от проекта или вебхука
     */
    latest_failed: Array<WorkEntry>;
};

export type UsedQuota = {
    quota: 'hits_per_day' | 'monthly_volume';
    project_id: string | null;
    site_id: string | null;
    title: string;
    client: string;
    used: number;
    limit: number;
};

export type Installation = {
    /**
     * Attune
     */
    version: string;
    node_version: string;
    /**
     * Страница Temporal: пространство имён установки
     */
    temporal_url: string | null;
    parts: Array<InstallationPart>;
    /**
     * Папок процесса api; у бакетов конца нет
     */
    disks: Array<InstallationDisk>;
    work: Array<InstallationWork>;
    /**
     * Израсходовано больше половины; самые близкие к пределу, до десяти
     */
    quotas: Array<UsedQuota>;
};

export type ProviderCheck = {
    capability: 'speech' | 'vision' | 'summary' | 'moderation' | 'embedding' | 'pictures';
    /**
     * null, если выключено
     */
    model: string | null;
    /**
     * works — ответил на пробу; fails — нет; builtin — встроенный, никого не спрашивает; off — выключен
     */
    state: 'works' | 'fails' | 'builtin' | 'off';
    /**
     * При fails — код ошибки, иначе — каких файлов нет: voice_files_missing, nudity_files_missing, russian_ocr_missing, picture_files_missing, reader_files_missing, encoder_files_missing, text_files_missing
     */
    code: string | null;
    /**
     * Сколько заняла проба
     */
    millis: number | null;
    checked_at: string;
};

export type ProviderChecks = {
    items: Array<ProviderCheck>;
    next_cursor: string | null;
};

export type ProviderCheckRequested = {
    requested: boolean;
};

export type WebhookHour = {
    /**
     * Начало часа
     */
    hour: string;
    /**
     * Попытки, а не события: у одного их бывает несколько
     */
    attempts: number;
    /**
     * Из них без ответа 2xx
     */
    failed: number;
    /**
     * За сколько заняли 95 % попыток, с точностью до четверти; null — попыток не было
     */
    p95_ms: number | null;
    /**
     * Сколько событий не было доставлено одновременно, самое большее за час
     */
    backlog: number;
};

export type WebhookStatistics = {
    /**
     * Каждый час, по порядку; последний ещё идёт
     */
    hours: Array<WebhookHour>;
    backlog: {
        /**
         * Не доставлено сейчас; дальше 50000 не считается
         */
        events: number;
        /**
         * Когда создано самое старое из них
         */
        since: string | null;
    };
};

export type ItemDelivery = {
    delivery_id: string;
    event: 'item.processed' | 'item.failed' | 'webhook.test';
    item_id: string;
    status: 'pending' | 'delivered' | 'failed' | 'dropped';
    /**
     * Сделано попыток
     */
    attempt: number;
    response_status: number | null;
    error_code: 'timeout' | 'connection' | 'tls' | 'dns' | 'http_status' | 'redirect' | 'forbidden_address' | null;
    error: string | null;
    /**
     * Почему доставка не отправлялась; только при dropped
     */
    obstacle: 'project' | 'webhook' | 'item' | 'backlog' | 'secret' | null;
    next_attempt_at: string | null;
    /**
     * Тело последней попытки
     */
    request_body: string | null;
    created_at: string;
    updated_at: string;
    /**
     * Каким вебхуком
     */
    webhook_id: string;
};

export type ItemDeliveryPage = {
    items: Array<ItemDelivery>;
    next_cursor: string | null;
};

export type Delivery = {
    delivery_id: string;
    event: 'item.processed' | 'item.failed' | 'webhook.test';
    item_id: string;
    status: 'pending' | 'delivered' | 'failed' | 'dropped';
    /**
     * Сделано попыток
     */
    attempt: number;
    response_status: number | null;
    error_code: 'timeout' | 'connection' | 'tls' | 'dns' | 'http_status' | 'redirect' | 'forbidden_address' | null;
    error: string | null;
    /**
     * Почему доставка не отправлялась; только при dropped
     */
    obstacle: 'project' | 'webhook' | 'item' | 'backlog' | 'secret' | null;
    next_attempt_at: string | null;
    /**
     * Тело последней попытки
     */
    request_body: string | null;
    created_at: string;
    updated_at: string;
};

export type DeliveryPage = {
    items: Array<Delivery>;
    next_cursor: string | null;
};

export type DeliveryAttempt = {
    attempt: number;
    started_at: string;
    duration_ms: number;
    response_status: number | null;
    error_code: 'timeout' | 'connection' | 'tls' | 'dns' | 'http_status' | 'redirect' | 'forbidden_address' | null;
    error: string | null;
};

export type DeliveryDetail = {
    delivery_id: string;
    event: 'item.processed' | 'item.failed' | 'webhook.test';
    item_id: string;
    status: 'pending' | 'delivered' | 'failed' | 'dropped';
    /**
     * Сделано попыток
     */
    attempt: number;
    response_status: number | null;
    error_code: 'timeout' | 'connection' | 'tls' | 'dns' | 'http_status' | 'redirect' | 'forbidden_address' | null;
    error: string | null;
    /**
     * Почему доставка не отправлялась; только при dropped
     */
    obstacle: 'project' | 'webhook' | 'item' | 'backlog' | 'secret' | null;
    next_attempt_at: string | null;
    /**
     * Тело последней попытки
     */
    request_body: string | null;
    created_at: string;
    updated_at: string;
    /**
     * Попыток до нынешнего расписания: восстановление даёт все попытки заново, а номера продолжаются
     */
    schedule_start: number;
    attempts: Array<DeliveryAttempt>;
};

export type Resent = {
    delivery_id: string;
    status: 'pending';
};

export type RecoverRequest = {
    /**
     * Доставки, созданные не раньше; раньше 30 дней назад журнала нет, и отсчёт идёт от его начала
     */
    since: string;
    /**
     * И раньше этого времени; без него и в будущем — до момента запроса
     */
    until?: string;
    /**
     * failed — попытки исчерпаны; dropped — не отправлялись, например пока вебхук был выключен. Без поля — те и другие
     */
    statuses?: Array<'failed' | 'dropped'>;
};

export type Recovery = {
    id: string;
    /**
     * cancelled — вебхук за это время выключили или проект перестал быть активным
     */
    state: 'running' | 'done' | 'cancelled';
    since: string;
    until: string;
    statuses: Array<'failed' | 'dropped'>;
    /**
     * Найдено доставок; null, пока не сосчитаны или недоставленных за это время больше 100 000
     */
    total: number | null;
    /**
     * Из них снова поставлено в очередь
     */
    done: number;
    /**
     * Оставлено как есть: объект удалён
     */
    skipped: number;
    created_at: string;
    /**
     * Когда продвинулось в последний раз
     */
    updated_at: string;
    finished_at: string | null;
};

export type RecoveryPage = {
    items: Array<Recovery>;
    next_cursor: string | null;
};

export type Site = {
    id: string;
    title: string;
    hosts: Array<string>;
    ignored_referrers: Array<string>;
    timezone: string;
    /**
     * Код ISO 4217; в ней деньги отчётов
     */
    currency: string;
    state: 'active' | 'blocked' | 'deleted';
    owner_state: 'active' | 'blocked';
    /**
     * Сколько единиц валюты сайта в одной единице валюты
     */
    rates: {
        [key: string]: number;
    };
    quotas: {
        hits_per_day: number;
        recordings_per_day: number;
        recording_mb_per_day: number;
        recording_mb_per_address: number;
        retention_months: number;
        recording_days: number;
        favourites: number;
        goals: number;
    };
    limits: {
        requests_per_second: number;
        output_per_second: number;
        reports_simultaneous: number;
        reports_per_minute: number;
    };
    robots: {
        user_agents: boolean;
        frequency: boolean;
        no_javascript: boolean;
        data_centres: boolean;
    };
    fingerprints: boolean;
    recordings: boolean;
    mask_texts: boolean;
    honour_gpc: boolean;
    has_identity_secret: boolean;
    require_user_hash: boolean;
    network: {
        enabled: boolean;
        sensitive_topics: boolean;
    };
    created_at: string;
};

export type SitePage = {
    items: Array<Site>;
    next_cursor: string | null;
};

export type SiteCreate = {
    title: string;
    /**
     * Имена, со страниц которых принимаются хиты: example.com, *.example.com (всё, что ниже), * (любое). Без схемы и порта; кириллица хранится в Punycode
     */
    hosts: Array<string>;
    /**
     * Имя часового пояса IANA; в нём считаются отчёты
     */
    timezone: string;
    /**
     * Код ISO 4217; в ней деньги отчётов
     */
    currency: string;
};

export type SitePatch = {
    title?: string;
    /**
     * Имена, со страниц которых принимаются хиты: example.com, *.example.com (всё, что ниже), * (любое). Без схемы и порта; кириллица хранится в Punycode
     */
    hosts?: Array<string>;
    /**
     * Имена, возврат с которых продолжает визит (оплата, вход): example.com — оно само и всё ниже, *.example.com — только ниже. Известные платёжные системы, банки и страницы входа учтены и без этого
     */
    ignored_referrers?: Array<string>;
    /**
     * Имя часового пояса IANA; в нём считаются отчёты
     */
    timezone?: string;
    /**
     * Код ISO 4217; в ней деньги отчётов
     */
    currency?: string;
    state?: 'active' | 'blocked' | 'deleted';
    owner_state?: 'active' | 'blocked';
    /**
     * Сколько единиц валюты сайта в одной единице валюты
     */
    rates?: {
        [key: string]: number;
    };
    /**
     * null возвращает значение по умолчанию
     */
    quotas?: {
        hits_per_day?: number | null;
        recordings_per_day?: number | null;
        recording_mb_per_day?: number | null;
        recording_mb_per_address?: number | null;
        retention_months?: number | null;
        recording_days?: number | null;
        favourites?: number | null;
        goals?: number | null;
    };
    /**
     * null возвращает значение по умолчанию
     */
    limits?: {
        requests_per_second?: number | null;
        output_per_second?: number | null;
        reports_simultaneous?: number | null;
        reports_per_minute?: number | null;
    };
    /**
     * Какие признаки делают посетителя роботом
     */
    robots?: {
        user_agents?: boolean;
        frequency?: boolean;
        no_javascript?: boolean;
        data_centres?: boolean;
    };
    /**
     * Учитывать ли fingerprint_uuid
     */
    fingerprints?: boolean;
    /**
     * Записывать ли сессии
     */
    recordings?: boolean;
    /**
     * Скрывать в записях весь текст страниц. Введённое и похожее на личные данные скрыто всегда
     */
    mask_texts?: boolean;
    /**
     * Не учитывать посетителей, чей браузер передаёт Global Privacy Control (по умолчанию да). Код счётчика меняется вместе с настройкой: GET /sites/{id}/tag
     */
    honour_gpc?: boolean;
    /**
     * Секрет, которым сервер сайта подписывает user_id: user_hash = HMAC-SHA256(identity_secret, user_id), строчные шестнадцатеричные цифры. Не возвращается; null — секрета нет, и связи посетителей с пользователями не проверяются
     */
    identity_secret?: string | null;
    /**
     * Не связывать посетителей с пользователями без верного user_hash. Действует, когда секрет задан
     */
    require_user_hash?: boolean;
    /**
     * Обмен данными о посетителях с другими сайтами установки; чувствительные темы отдельно
     */
    network?: {
        enabled?: boolean;
        sensitive_topics?: boolean;
    };
};

export type SiteKey = {
    id: string;
    /**
     * api — секретный ключ сервера (ak_), tag — открытый ключ счётчика (as_)
     */
    kind: 'api' | 'tag';
    name: string;
    /**
     * Первые 8 символов ключа
     */
    prefix: string;
    /**
     * Ключ счётчика целиком: он и так на каждой странице сайта; у api — null
     */
    public_key: string | null;
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
};

export type SiteKeyPage = {
    items: Array<SiteKey>;
    next_cursor: string | null;
};

export type SiteKeyCreate = {
    name: string;
    /**
     * api — секретный ключ сервера (ak_), tag — открытый ключ счётчика (as_)
     */
    kind?: 'api' | 'tag';
};

export type NewSiteKey = {
    id: string;
    /**
     * api — секретный ключ сервера (ak_), tag — открытый ключ счётчика (as_)
     */
    kind: 'api' | 'tag';
    name: string;
    /**
     * Первые 8 символов ключа
     */
    prefix: string;
    /**
     * Ключ счётчика целиком: он и так на каждой странице сайта; у api — null
     */
    public_key: string | null;
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
    /**
     * Ключ api показывается один раз
     */
    key: string;
};

export type SiteKeyRevoked = {
    id: string;
    revoked: boolean;
};

export type SiteSender = {
    /**
     * Имя страницы; пустое — у страницы нет имени (файл, приложение)
     */
    host: string;
    /**
     * Пакетов с first_at
     */
    requests: number;
    first_at: string;
    last_at: string;
};

export type SiteWrongKey = {
    /**
     * Имя страницы; пустое — у страницы нет имени (файл, приложение)
     */
    host: string;
    /**
     * Первые символы присланного ключа; пустые — ключа не было
     */
    prefix: string;
    /**
     * Отозванный ключ этого сайта; иначе неизвестный
     */
    revoked: boolean;
    /**
     * Пакетов с first_at
     */
    requests: number;
    first_at: string;
    last_at: string;
};

export type SiteStatus = {
    /**
     * Последний хит, с точностью до секунд; null — за 31 день не было
     */
    last_hit_at: string | null;
    /**
     * Последний день с хитами по московскому времени
     */
    last_hit_on: string | null;
    /**
     * С каких имён приходят пакеты, последние первыми
     */
    hosts: Array<SiteSender>;
    /**
     * Имена, которых нет в hosts: их пакеты отклонены с 403
     */
    refused_hosts: Array<SiteSender>;
    /**
     * Пакеты, отклонённые с 401: с отозванным ключом сайта либо с неизвестным на страницах, чьё имя есть в hosts (кроме *)
     */
    wrong_keys: Array<SiteWrongKey>;
    /**
     * С начала суток по московскому времени
     */
    today: {
        /**
         * Хиты; сверх квоты учитывается каждый десятый посетитель
         */
        hits: {
            used: number;
            quota: number;
        };
        /**
         * Записи сессий от 5 секунд; сверх квоты новые не начинаются
         */
        recordings: {
            used: number;
            quota: number;
        };
        /**
         * Мегабайты записей; сверх квоты части не принимаются
         */
        recording_mb: {
            used: number;
            quota: number;
        };
    };
};

export type SiteTag = {
    /**
     * Самый новый действующий ключ счётчика; null — такого нет, выпустите: POST /sites/{id}/keys с kind: tag
     */
    key: string | null;
    script_url: string;
    /**
     * Вставить в <head>: загрузка не задерживает страницу, команды svc(…) до неё ждут в очереди
     */
    snippet: string | null;
    /**
     * То же без встроенного скрипта, для строгой политики CSP: script-src и connect-src с адресом установки
     */
    external_snippet: string | null;
};

export type Goal = {
    code: string;
    title: string;
    type: 'js' | 'url' | 'event' | 'form' | 'purchase';
    match: {
        op?: 'eq' | 'contains' | 'starts' | 'regex';
        value?: string;
        name?: string;
        form_id?: string;
    } | null;
    /**
     * В валюте сайта; ценность из самого достижения важнее
     */
    value: number | null;
    enabled: boolean;
};

export type GoalPage = {
    items: Array<Goal>;
    next_cursor: string | null;
};

export type GoalPut = {
    title: string;
    type: 'js' | 'url' | 'event' | 'form' | 'purchase';
    /**
     * url: {op, value}, regex — по правилам RE2; адреса сравниваются раскодированными (кириллица вместо %D0… и xn--…), eq не учитывает косую черту в конце, а также запрос, если его нет в value; event: {name}; form: {form_id?}, без form_id — любая форма; у js и purchase его нет
     */
    match?: {
        op?: 'eq' | 'contains' | 'starts' | 'regex';
        value?: string;
        name?: string;
        form_id?: string;
    } | null;
    /**
     * В валюте сайта; ценность из самого достижения важнее
     */
    value?: number | null;
    enabled?: boolean;
};

export type GoalDeleted = {
    code: string;
    deleted: boolean;
};

export type GoalTry = {
    type: 'url' | 'event' | 'form' | 'purchase';
    /**
     * url: {op, value}, regex — по правилам RE2; адреса сравниваются раскодированными (кириллица вместо %D0… и xn--…), eq не учитывает косую черту в конце, а также запрос, если его нет в value; event: {name}; form: {form_id?}, без form_id — любая форма; у js и purchase его нет
     */
    match?: {
        op?: 'eq' | 'contains' | 'starts' | 'regex';
        value?: string;
        name?: string;
        form_id?: string;
    } | null;
};

export type GoalTried = {
    /**
     * За сколько последних дней, сегодня среди них
     */
    days: number;
    /**
     * Сколько проверено: просмотров (url), событий, отправок форм, заказов (purchase)
     */
    hits: number;
    /**
     * Сколько из них достигли бы цели
     */
    matched: number;
    /**
     * До 10 самых частых из достигших
     */
    examples: Array<{
        /**
         * Адрес, имя события или формы; null — форма без имени
         */
        text: string | null;
        hits: number;
    }>;
    /**
     * Проверено всё. false — разных адресов больше 10000 либо выражение слишком долгое: остальные, более редкие, не проверены
     */
    complete: boolean;
    /**
     * Посчитано по 10 процентам посетителей, количества умножены
     */
    sampled: boolean;
};

export type ReportDimension = 'date' | 'week' | 'month' | 'quarter' | 'year' | 'hour' | 'day_of_week' | 'date_hour' | 'source_type' | 'source_name' | 'search_engine' | 'search_phrase' | 'social_network' | 'messenger' | 'ai_assistant' | 'ad_system' | 'referrer_domain' | 'referrer_url' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_content' | 'utm_term' | 'click_id' | 'entry_page' | 'entry_path' | 'entry_domain' | 'entry_path_level1' | 'entry_path_level2' | 'entry_path_level3' | 'exit_page' | 'exit_path' | 'visitor_type' | 'visit_number' | 'pageviews_bucket' | 'duration_bucket' | 'bounce' | 'days_since_first_visit' | 'days_since_previous_visit' | 'is_robot' | 'robot_reason' | 'logged_in' | string | 'device_type' | 'device_brand' | 'device_model' | 'os' | 'os_version' | 'browser' | 'browser_version' | 'browser_engine' | 'browser_language' | 'screen_resolution' | 'window_size' | 'visitor_timezone' | 'continent' | 'country' | 'region' | 'city' | 'page_url' | 'page_path' | 'page_domain' | 'page_title' | 'page_path_level1' | 'page_path_level2' | 'page_path_level3' | 'event_name' | string | 'form_id' | 'outbound_domain' | 'outbound_url' | 'download_url' | 'goal' | 'goal_source' | 'order_status' | 'order_currency' | 'transaction_id' | 'promo_code' | 'product_id' | 'product_name' | 'product_brand' | 'product_variant' | 'product_category_level1' | 'product_category_level2' | 'product_category_level3' | 'product_category_level4' | 'product_category_level5' | 'gender' | 'age_group' | 'interest' | 'has_children' | 'children_age' | 'company_type' | 'industry' | 'company_region' | 'purchase_category' | 'price_segment' | 'geo_person_country' | 'geo_person_region' | 'geo_person_city' | string | string;

export type ReportMetric = 'visits' | 'visitors' | 'users' | 'new_visitors' | 'new_visitors_share' | 'pageviews' | 'hits' | 'pages_per_visit' | 'avg_visit_duration' | 'bounce_rate' | 'bounces' | 'visits_per_visitor' | 'visits_per_day' | 'robot_visits' | 'robot_share' | 'mobile_share' | 'unique_pageviews' | 'entrances' | 'exits' | 'exit_rate' | 'avg_time_on_page' | 'avg_scroll_depth' | 'events' | 'form_submissions' | 'outbound_clicks' | 'downloads' | 'conversions' | string | 'converted_visits' | string | 'converted_visitors' | string | 'conversion_rate' | string | 'visitor_conversion_rate' | string | 'conversion_value' | string | 'value_per_conversion' | string | 'orders' | 'buyers' | 'revenue' | 'avg_order_value' | 'revenue_per_visit' | 'revenue_per_visitor' | 'order_conversion_rate' | 'refunds' | 'refund_revenue' | 'gross_revenue' | 'first_orders' | 'repeat_orders' | 'product_quantity' | 'product_revenue' | 'product_orders' | 'product_avg_price' | 'product_refunded_quantity' | 'people' | 'people_share' | 'undefined_share' | 'network_share' | 'affinity_index';

/**
 * У eq, neq, contains (без учёта регистра) и regex (RE2) одно значение, у in — до 100. Значения — коды, а не подписи
 */
export type ReportFilter = {
    dimension: ReportDimension;
    op: 'eq' | 'neq' | 'contains' | 'regex' | 'in';
    values: Array<string>;
};

/**
 * Условие внутри других или их группа
 */
export type ReportCondition = {
    dimension: ReportDimension;
    op: 'eq' | 'neq' | 'contains' | 'regex' | 'in';
    values: Array<string>;
} | {
    metric: ReportMetric;
    op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
    value: number;
} | {
    all: Array<ReportCondition>;
} | {
    any: Array<ReportCondition>;
} | {
    not: ReportCondition;
} | Array<ReportCondition>;

/**
 * Условие на группировку, на показатель визита либо all, any и not из условий; список — все. Не больше 50 условий, вложенность групп — до четырёх
 */
export type ReportSegment = {
    dimension: ReportDimension;
    op: 'eq' | 'neq' | 'contains' | 'regex' | 'in';
    values: Array<string>;
    /**
     * visitor — все визиты периода тех, у кого условиям отвечает хотя бы один визит
     */
    scope?: 'visit' | 'visitor';
} | {
    metric: ReportMetric;
    op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
    value: number;
    /**
     * visitor — все визиты периода тех, у кого условиям отвечает хотя бы один визит
     */
    scope?: 'visit' | 'visitor';
} | {
    all: Array<ReportCondition>;
    /**
     * visitor — все визиты периода тех, у кого условиям отвечает хотя бы один визит
     */
    scope?: 'visit' | 'visitor';
} | {
    any: Array<ReportCondition>;
    /**
     * visitor — все визиты периода тех, у кого условиям отвечает хотя бы один визит
     */
    scope?: 'visit' | 'visitor';
} | {
    not: ReportCondition;
    /**
     * visitor — все визиты периода тех, у кого условиям отвечает хотя бы один визит
     */
    scope?: 'visit' | 'visitor';
} | Array<ReportCondition>;

export type ReportRequest = {
    /**
     * Группировки; без них — одна строка обо всём
     */
    dimensions?: Array<ReportDimension>;
    /**
     * Показатели строки
     */
    metrics: Array<ReportMetric>;
    /**
     * День в часовом поясе сайта включительно; не в будущем, весь период — не больше 25 месяцев
     */
    date_from: string;
    /**
     * День в часовом поясе сайта включительно; не в будущем, весь период — не больше 25 месяцев
     */
    date_to: string;
    filters?: Array<ReportFilter>;
    /**
     * Сохранённый сегмент сайта вместо segment
     */
    segment_id?: string;
    segment?: ReportSegment;
    /**
     * Какой из источников визита показывают группировки источника
     */
    attribution?: 'last_significant' | 'first' | 'last';
    /**
     * Учитывать ли визиты роботов или только их
     */
    robots?: 'exclude' | 'include' | 'only';
    /**
     * field — группировка или показатель запроса. По умолчанию первый показатель по убыванию, а при группировке по времени — она по возрастанию. Равные — по группировкам
     */
    sort?: Array<{
        field: string;
        dir: 'asc' | 'desc';
    }>;
    limit?: number;
    offset?: number;
};

export type ReportName = {
    id: string;
    name: string;
};

export type ReportRow = {
    /**
     * В порядке запроса; {id, name} у мест, интересов, категорий и целей; null — неизвестно
     */
    dimensions: Array<string | ReportName | null>;
    /**
     * В порядке запроса
     */
    metrics: Array<number>;
};

export type ReportNote = {
    code: 'missing_rate' | 'no_city_database';
    message: string;
};

export type ReportResponse = {
    data: Array<ReportRow>;
    /**
     * Каждый показатель по всем строкам
     */
    totals: Array<number>;
    /**
     * Посчитано по 10 процентам посетителей, количества и суммы умножены
     */
    sampled: boolean;
    /**
     * Часовой пояс сайта
     */
    timezone: string;
    /**
     * Что надо знать о числах. missing_rate: суммы в валюте без курса не вошли в деньги. no_city_database: регионы и города визитов неизвестны, потому что в установке нет базы городов
     */
    notes?: Array<ReportNote>;
    /**
     * Сколько всего строк без limit и offset
     */
    rows: number;
};

export type ReportBatchLine = {
    /**
     * Номер запроса в reports, с нуля
     */
    index: number;
    report: {
        data: Array<ReportRow>;
        /**
         * Каждый показатель по всем строкам
         */
        totals: Array<number>;
        /**
         * Посчитано по 10 процентам посетителей, количества и суммы умножены
         */
        sampled: boolean;
        /**
         * Часовой пояс сайта
         */
        timezone: string;
        /**
         * Что надо знать о числах. missing_rate: суммы в валюте без курса не вошли в деньги. no_city_database: регионы и города визитов неизвестны, потому что в установке нет базы городов
         */
        notes?: Array<ReportNote>;
        /**
         * Сколько всего строк без limit и offset
         */
        rows: number;
    } | null;
    error: {
        /**
         * Каким кодом ответил бы POST /sites/{id}/reports
         */
        status: number;
        /**
         * Через сколько секунд повторить, если это поможет
         */
        retry_after: number | null;
        code: string;
        message: string;
        /**
         * null, когда подробностей нет
         */
        details: Array<{
            field: string;
            code: string;
            message?: string;
        }> | null;
    } | null;
};

export type Words = {
    en: string;
    ru: string;
};

export type ReportDimensionField = {
    /**
     * Без параметра
     */
    id: string;
    /**
     * Чего по одной строке: визит, хит, цель, заказ, строка заказа, человек
     */
    level: 'visit' | 'hit' | 'goal' | 'order' | 'product' | 'person';
    label: Words;
    definition: Words;
    attribution: Words | null;
    group: 'time' | 'source' | 'visit' | 'technology' | 'geography' | 'page' | 'goal' | 'order' | 'product' | 'audience';
    /**
     * Какие у неё значения
     */
    type: 'text' | 'number' | 'time';
    /**
     * Что пишется после двоеточия: ключ параметра или признак аудитории; без него её нет
     */
    parameter: 'key' | 'attribute' | null;
    is_time: boolean;
    /**
     * Подписи строк — {id, name}, а в условиях пишется id
     */
    is_named: boolean;
    /**
     * Названия кодов, если подписи строк — коды из словаря
     */
    codes: Array<{
        code: string;
        name: Words;
    }> | null;
};

export type ReportMetricField = {
    /**
     * Без параметра
     */
    id: string;
    /**
     * Чего по одной строке: визит, хит, цель, заказ, строка заказа, человек
     */
    level: 'visit' | 'hit' | 'goal' | 'order' | 'product' | 'person';
    label: Words;
    definition: Words;
    attribution: Words | null;
    group: 'visits' | 'pages' | 'goals' | 'orders' | 'products' | 'audience';
    /**
     * share — доля единицы, percent — доля сотни, money — в валюте сайта, index — 100 у всех людей сайта
     */
    type: 'count' | 'number' | 'share' | 'money' | 'seconds' | 'percent' | 'index';
    /**
     * Может быть только одной цели: после двоеточия её код
     */
    parameter: 'goal' | null;
    /**
     * Уровни группировок и условий, с которыми его нет
     */
    excludes: Array<'visit' | 'hit' | 'goal' | 'order' | 'product' | 'person'>;
    /**
     * Уровень, группировка которого нужна ровно одна
     */
    needs_one: 'visit' | 'hit' | 'goal' | 'order' | 'product' | 'person' | null;
    /**
     * Имеет смысл у одного визита: годится в условия сегмента
     */
    in_segments: boolean;
};

export type ReportFields = {
    dimensions: Array<ReportDimensionField>;
    metrics: Array<ReportMetricField>;
    /**
     * По группировке: что может стоять после двоеточия
     */
    parameters: {
        visit_param: Array<string>;
        event_param: Array<string>;
        visitor_param: Array<string>;
        value_source: Array<string>;
    };
    goals: Array<{
        code: string;
        title: string;
    }>;
    /**
     * В ней деньги отчётов
     */
    currency: string;
    /**
     * Сколько чего может быть в одном запросе
     */
    limits: {
        dimensions: number;
        metrics: number;
        filters: number;
        filter_values: number;
        sorts: number;
        rows: number;
        months: number;
        segment_depth: number;
        segment_leaves: number;
        export_rows: number;
    };
};

export type ClickMap = {
    page: string;
    date_from: string;
    date_to: string;
    timezone: string;
    /**
     * Просмотров страницы
     */
    views: number;
    /**
     * Посчитано по 10 процентам посетителей
     */
    sampled: boolean;
    /**
     * Всех нажатий на странице
     */
    clicks: number;
    /**
     * Самые нажимаемые — первыми, до 200
     */
    elements: Array<{
        /**
         * CSS-селектор, как его записал счётчик
         */
        selector: string;
        clicks: number;
        /**
         * Клетки элемента от 0 до 9 слева направо и сверху вниз, в которые нажимали
         */
        cells: Array<{
            x: number;
            y: number;
            clicks: number;
        }>;
    }>;
};

export type ScrollMap = {
    page: string;
    date_from: string;
    date_to: string;
    timezone: string;
    /**
     * Просмотров страницы
     */
    views: number;
    /**
     * Посчитано по 10 процентам посетителей
     */
    sampled: boolean;
    /**
     * Средняя глубина, в процентах
     */
    average_depth: number;
    /**
     * Просмотров, дошедших до этого процента страницы и дальше
     */
    reached: Array<{
        depth: number;
        views: number;
    }>;
};

export type MapLinkBody = {
    /**
     * Адрес страницы целиком
     */
    page: string;
    /**
     * Первый день
     */
    date_from?: string;
    /**
     * Последний день
     */
    date_to?: string;
    /**
     * Только визиты с таких устройств
     */
    device?: 'desktop' | 'mobile' | 'tablet' | 'tv' | 'console' | 'other';
    segment?: string;
};

export type MapLink = {
    /**
     * Страница с токеном
     */
    url: string;
    token: string;
    expires_at: string;
};

export type ExportReport = {
    /**
     * Группировки; без них — одна строка обо всём
     */
    dimensions?: Array<ReportDimension>;
    /**
     * Показатели строки
     */
    metrics: Array<ReportMetric>;
    /**
     * День в часовом поясе сайта включительно; не в будущем, весь период — не больше 25 месяцев
     */
    date_from: string;
    /**
     * День в часовом поясе сайта включительно; не в будущем, весь период — не больше 25 месяцев
     */
    date_to: string;
    filters?: Array<ReportFilter>;
    /**
     * Сохранённый сегмент сайта вместо segment
     */
    segment_id?: string;
    segment?: ReportSegment;
    /**
     * Какой из источников визита показывают группировки источника
     */
    attribution?: 'last_significant' | 'first' | 'last';
    /**
     * Учитывать ли визиты роботов или только их
     */
    robots?: 'exclude' | 'include' | 'only';
    /**
     * field — группировка или показатель запроса. По умолчанию первый показатель по убыванию, а при группировке по времени — она по возрастанию. Равные — по группировкам
     */
    sort?: Array<{
        field: string;
        dir: 'asc' | 'desc';
    }>;
    /**
     * Строк в файле, не считая итогов
     */
    limit?: number;
    offset?: number;
};

export type ExportRequest = {
    report: ExportReport;
    format: 'csv' | 'xlsx';
};

export type ExportError = {
    code: string;
    message: string;
};

export type Export = {
    id: string;
    /**
     * queued — ждёт очереди, running — строится, done — файл готов, failed — его не будет
     */
    state: 'queued' | 'running' | 'done' | 'failed';
    format: 'csv' | 'xlsx';
    /**
     * Отчёт, по которому сделан файл; segment_id заменён условиями сегмента
     */
    report: {
        [key: string]: unknown;
    };
    /**
     * Доля сделанного, 0–1
     */
    progress: number;
    /**
     * Строк в файле; null, пока он не готов
     */
    rows: number | null;
    /**
     * Посчитан по 10 процентам посетителей
     */
    sampled: boolean | null;
    error: ExportError | null;
    /**
     * Письмо со ссылкой тому, кто просил файл: none — не шлётся, waiting — ещё не ушло, sent — ушло, failed — не ушло
     */
    mail: 'none' | 'waiting' | 'sent' | 'failed';
    /**
     * Ссылка на файл: работает без входа до expires_at, пока сайт открыт
     */
    url: string | null;
    created_at: string;
    finished_at: string | null;
    /**
     * Когда кончится ссылка и файл будет удалён
     */
    expires_at: string | null;
};

export type ExportPage = {
    items: Array<Export>;
    next_cursor: string | null;
};

export type Recording = {
    id: string;
    visitor_id: string;
    /**
     * Визит, во время которого она сделана; null — его ещё или уже нет
     */
    visit_id: string | null;
    /**
     * Первая страница визита
     */
    entry_page: string | null;
    /**
     * Первый адрес в самой записи
     */
    first_page: string | null;
    source_type: string | null;
    source_name: string | null;
    /**
     * Когда пришла первая часть; по этому времени список и срок хранения
     */
    received_at: string;
    /**
     * Первое событие; ошибка часов устройства вычтена
     */
    started_at: string;
    ended_at: string;
    duration_ms: number;
    chunks: number;
    events: number;
    /**
     * Сжатых
     */
    bytes: number;
    /**
     * Сколько разных адресов в записи, до 100; null — части пришли до того, как их стали читать
     */
    pages: number | null;
    /**
     * Нажатий, о которых сообщил счётчик
     */
    clicks: number;
    /**
     * Ошибок скриптов страницы
     */
    errors: number;
    /**
     * Достижений целей за визит
     */
    goals: number;
    user_agent: string | null;
    favourite: boolean;
    /**
     * Когда запись будет удалена
     */
    expires_at: string;
};

export type RecordingPage = {
    items: Array<Recording>;
    next_cursor: string | null;
    /**
     * Сколько у сайта избранных записей и сколько может быть
     */
    favourites: {
        marked: number;
        quota: number;
    };
};

export type RecordingWithParts = {
    id: string;
    visitor_id: string;
    /**
     * Визит, во время которого она сделана; null — его ещё или уже нет
     */
    visit_id: string | null;
    /**
     * Первая страница визита
     */
    entry_page: string | null;
    /**
     * Первый адрес в самой записи
     */
    first_page: string | null;
    source_type: string | null;
    source_name: string | null;
    /**
     * Когда пришла первая часть; по этому времени список и срок хранения
     */
    received_at: string;
    /**
     * Первое событие; ошибка часов устройства вычтена
     */
    started_at: string;
    ended_at: string;
    duration_ms: number;
    chunks: number;
    events: number;
    /**
     * Сжатых
     */
    bytes: number;
    /**
     * Сколько разных адресов в записи, до 100; null — части пришли до того, как их стали читать
     */
    pages: number | null;
    /**
     * Нажатий, о которых сообщил счётчик
     */
    clicks: number;
    /**
     * Ошибок скриптов страницы
     */
    errors: number;
    /**
     * Достижений целей за визит
     */
    goals: number;
    user_agent: string | null;
    favourite: boolean;
    /**
     * Когда запись будет удалена
     */
    expires_at: string;
    /**
     * Пришедшие части по порядку; пропуск в seq — не дошедшая
     */
    parts: Array<{
        seq: number;
        started_at: string;
        ended_at: string;
        events: number;
        bytes: number;
    }>;
};

export type RecordingTimeline = {
    /**
     * По порядку, первые 1000
     */
    moments: Array<{
        /**
         * От начала записи
         */
        offset_ms: number;
        type: 'page' | 'click' | 'goal' | 'error';
        /**
         * Адрес страницы, селектор нажатого элемента, код цели или текст ошибки скрипта
         */
        text: string | null;
        /**
         * Название цели
         */
        title: string | null;
    }>;
    /**
     * Их больше
     */
    truncated: boolean;
    /**
     * false — части пришли до того, как из них стали выбирать страницы, нажатия и ошибки
     */
    read: boolean;
};

export type RecordingPatch = {
    favourite: boolean;
};

export type RecordingDeleted = {
    id: string;
    deleted: boolean;
};

export type VisitorVisit = {
    id: string;
    started_at: string;
    /**
     * Последний хит
     */
    ended_at: string;
    pageviews: number;
    /**
     * Достижений целей
     */
    goals: number;
    entry_page: string | null;
    exit_page: string | null;
    /**
     * По последнему значимому источнику, как в отчётах
     */
    source_type: string | null;
    source_name: string | null;
    device_type: string | null;
    browser: string | null;
    os: string | null;
    /**
     * Код ISO 3166
     */
    country: string | null;
    /**
     * Название на языке из Accept-Language
     */
    region: string | null;
    city: string | null;
    is_robot: boolean;
};

export type Visitor = {
    visitor_id: string;
    /**
     * Пользователь сайта, с которым посетитель связан
     */
    user_id: string | null;
    /**
     * null, пока первые хиты обрабатываются
     */
    first_visit_at: string | null;
    /**
     * Начало последнего визита
     */
    last_visit_at: string | null;
    /**
     * Всех визитов, и тех, которых уже нет в списке
     */
    visits: number;
    /**
     * Записей сессий
     */
    recordings: number;
    visit: VisitorVisit | null;
};

export type VisitorPage = {
    items: Array<Visitor>;
    next_cursor: string | null;
};

export type VisitorDetail = {
    visitor_id: string;
    /**
     * Пользователь сайта, с которым посетитель связан
     */
    user_id: string | null;
    /**
     * null, пока первые хиты обрабатываются
     */
    first_visit_at: string | null;
    /**
     * Начало последнего визита
     */
    last_visit_at: string | null;
    /**
     * Всех визитов, и тех, которых уже нет в списке
     */
    visits: number;
    /**
     * Все, с кем он был когда-либо связан, последние первыми; до 100
     */
    user_ids: Array<string>;
    /**
     * Удаление принято и ещё не выполнено
     */
    being_deleted: boolean;
    /**
     * Что известно сейчас о нём или о пользователе, с которым он связан
     */
    attributes: Array<{
        /**
         * Как группировки аудитории в отчётах: gender, age_group, interest…
         */
        attribute: string;
        /**
         * Ключ, если attribute — visitor_param
         */
        param: string | null;
        /**
         * Код или текст
         */
        value: string | null;
        /**
         * Название из словаря
         */
        name: string | null;
        /**
         * Интерес: сколько раз о нём сообщали
         */
        strength: number | null;
        /**
         * user — сам посетитель или пользователь, site — сервер сайта, network — другие сайты сети
         */
        source: 'user' | 'site' | 'network';
    }>;
    /**
     * До 100 последних
     */
    recent_visits: Array<VisitorVisit>;
    /**
     * До 200 последних
     */
    goals: Array<{
        goal: string;
        /**
         * null — цели больше нет
         */
        title: string | null;
        occurred_at: string;
        /**
         * В валюте сайта
         */
        value: number | null;
        /**
         * Визит, к которому оно относится
         */
        visit_id: string | null;
    }>;
    /**
     * Покупки и возвраты, до 100 последних
     */
    orders: Array<{
        transaction_id: string;
        status: 'purchased' | 'refunded';
        occurred_at: string;
        revenue: number | null;
        currency: string | null;
        promo_code: string | null;
        /**
         * Визит, к которому оно относится
         */
        visit_id: string | null;
    }>;
};

export type VisitorDeletion = {
    visitor_id: string;
    accepted: boolean;
};

export type SiteUserDeletion = {
    user_id: string;
    accepted: boolean;
};

export type SavedSegment = {
    id: string;
    title: string;
    conditions: ReportSegment;
    created_at: string;
    updated_at: string;
};

export type SavedSegmentPage = {
    items: Array<SavedSegment>;
    next_cursor: string | null;
};

export type SavedSegmentCreate = {
    title: string;
    conditions: ReportSegment;
};

export type SavedSegmentPatch = {
    title?: string;
    conditions?: ReportSegment;
};

export type SavedSegmentDeleted = {
    id: string;
    deleted: boolean;
};

export type SavedReport = {
    id: string;
    title: string;
    report: ReportRequest;
    /**
     * Период — столько последних дней сайта вместе с сегодняшним; даты самого отчёта тогда не хранятся, в ответе они на сегодня
     */
    last_days: number | null;
    created_at: string;
    updated_at: string;
};

export type SavedReportPage = {
    items: Array<SavedReport>;
    next_cursor: string | null;
};

/**
 * Тело POST /sites/{id}/reports, до 64 КБ; с last_days — без date_from и date_to
 */
export type SavedReportRequest = {
    /**
     * Группировки; без них — одна строка обо всём
     */
    dimensions?: Array<ReportDimension>;
    /**
     * Показатели строки
     */
    metrics: Array<ReportMetric>;
    filters?: Array<ReportFilter>;
    /**
     * Сохранённый сегмент сайта вместо segment
     */
    segment_id?: string;
    segment?: ReportSegment;
    /**
     * Какой из источников визита показывают группировки источника
     */
    attribution?: 'last_significant' | 'first' | 'last';
    /**
     * Учитывать ли визиты роботов или только их
     */
    robots?: 'exclude' | 'include' | 'only';
    /**
     * field — группировка или показатель запроса. По умолчанию первый показатель по убыванию, а при группировке по времени — она по возрастанию. Равные — по группировкам
     */
    sort?: Array<{
        field: string;
        dir: 'asc' | 'desc';
    }>;
    limit?: number;
    offset?: number;
    /**
     * День в часовом поясе сайта включительно; не в будущем, весь период — не больше 25 месяцев
     */
    date_from?: string;
    /**
     * День в часовом поясе сайта включительно; не в будущем, весь период — не больше 25 месяцев
     */
    date_to?: string;
};

export type SavedReportCreate = {
    title: string;
    report: SavedReportRequest;
    /**
     * Период — столько последних дней сайта вместе с сегодняшним; даты самого отчёта тогда не хранятся, в ответе они на сегодня
     */
    last_days?: number | null;
};

export type SavedReportPatch = {
    title?: string;
    report?: SavedReportRequest;
    /**
     * Период — столько последних дней сайта вместе с сегодняшним; даты самого отчёта тогда не хранятся, в ответе они на сегодня
     */
    last_days?: number | null;
};

export type SavedReportDeleted = {
    id: string;
    deleted: boolean;
};

export type Realtime = {
    /**
     * Когда посчитано
     */
    at: string;
    /**
     * Людей с хитом за последние 5 минут
     */
    now: number;
    /**
     * Людей и визитов с хитом за последние 30 минут
     */
    last_30_minutes: {
        people: number;
        visits: number;
    };
    /**
     * Последние 30 минут, старые первыми: у скольких людей визит шёл в эту минуту. Последняя минута ещё не кончилась
     */
    minutes: Array<{
        at: string;
        people: number;
    }>;
    /**
     * На каких страницах люди сейчас: по последнему просмотру; до 20
     */
    pages: Array<{
        domain: string | null;
        path: string;
        people: number;
    }>;
    /**
     * Откуда пришли те, кто сейчас на сайте: источник самого визита; до 20
     */
    sources: Array<{
        source_type: string;
        source_name: string | null;
        people: number;
    }>;
    /**
     * Открытых визитов очень много: посчитано по части из них
     */
    sampled: boolean;
};

export type Login = {
    email: string;
    password: string;
    /**
     * Второй фактор: код из приложения либо резервный код
     */
    code?: string;
};

export type SignIn = {
    /**
     * Секрет ссылки: то, что в ней за знаком #
     */
    link: string;
    /**
     * Второй фактор
     */
    code?: string;
};

export type InvitationAccept = {
    invitation: string;
    password: string;
};

export type InvitationAccepted = {
    accepted: boolean;
};

export type ErrorBody = {
    error: {
        code: 'invalid_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'request_timeout' | 'payload_too_large' | 'validation_failed' | 'rate_limited' | 'internal' | 'unavailable';
        message: string;
        details?: Array<{
            field: string;
            code: string;
            message: string;
        }>;
    };
};

export type LookUpInterestsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Что набрано; без этого — первые
         */
        q?: string;
        limit?: number;
    };
    url: '/dictionaries/interests';
};

export type LookUpInterestsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type LookUpInterestsError = LookUpInterestsErrors[keyof LookUpInterestsErrors];

export type LookUpInterestsResponses = {
    /**
     * Найденное
     */
    200: DictionaryEntries;
};

export type LookUpInterestsResponse = LookUpInterestsResponses[keyof LookUpInterestsResponses];

export type LookUpPurchaseCategoriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Что набрано; без этого — первые
         */
        q?: string;
        limit?: number;
    };
    url: '/dictionaries/purchase-categories';
};

export type LookUpPurchaseCategoriesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type LookUpPurchaseCategoriesError = LookUpPurchaseCategoriesErrors[keyof LookUpPurchaseCategoriesErrors];

export type LookUpPurchaseCategoriesResponses = {
    /**
     * Найденное
     */
    200: DictionaryEntries;
};

export type LookUpPurchaseCategoriesResponse = LookUpPurchaseCategoriesResponses[keyof LookUpPurchaseCategoriesResponses];

export type LookUpCountriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Что набрано; без этого — первые
         */
        q?: string;
        limit?: number;
    };
    url: '/dictionaries/countries';
};

export type LookUpCountriesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type LookUpCountriesError = LookUpCountriesErrors[keyof LookUpCountriesErrors];

export type LookUpCountriesResponses = {
    /**
     * Найденное
     */
    200: DictionaryEntries;
};

export type LookUpCountriesResponse = LookUpCountriesResponses[keyof LookUpCountriesResponses];

export type LookUpRegionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Что набрано; без этого — первые
         */
        q?: string;
        limit?: number;
    };
    url: '/dictionaries/regions';
};

export type LookUpRegionsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type LookUpRegionsError = LookUpRegionsErrors[keyof LookUpRegionsErrors];

export type LookUpRegionsResponses = {
    /**
     * Найденное
     */
    200: DictionaryEntries;
};

export type LookUpRegionsResponse = LookUpRegionsResponses[keyof LookUpRegionsResponses];

export type LookUpCitiesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Что набрано; без этого — первые
         */
        q?: string;
        limit?: number;
    };
    url: '/dictionaries/cities';
};

export type LookUpCitiesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type LookUpCitiesError = LookUpCitiesErrors[keyof LookUpCitiesErrors];

export type LookUpCitiesResponses = {
    /**
     * Найденное
     */
    200: DictionaryEntries;
};

export type LookUpCitiesResponse = LookUpCitiesResponses[keyof LookUpCitiesResponses];

export type GetMeData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/me';
};

export type GetMeErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetMeError = GetMeErrors[keyof GetMeErrors];

export type GetMeResponses = {
    /**
     * Пользователь или токен
     */
    200: Me;
};

export type GetMeResponse = GetMeResponses[keyof GetMeResponses];

export type ChangePasswordData = {
    body: PasswordChange;
    path?: never;
    query?: never;
    url: '/me';
};

export type ChangePasswordErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ChangePasswordError = ChangePasswordErrors[keyof ChangePasswordErrors];

export type ChangePasswordResponses = {
    /**
     * Пароль изменён
     */
    200: Me;
};

export type ChangePasswordResponse = ChangePasswordResponses[keyof ChangePasswordResponses];

export type PatchPreferencesData = {
    body: PreferencesPatch;
    path?: never;
    query?: never;
    url: '/me/preferences';
};

export type PatchPreferencesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchPreferencesError = PatchPreferencesErrors[keyof PatchPreferencesErrors];

export type PatchPreferencesResponses = {
    /**
     * Выбрано
     */
    200: Me;
};

export type PatchPreferencesResponse = PatchPreferencesResponses[keyof PatchPreferencesResponses];

export type LogoutData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/logout';
};

export type LogoutErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type LogoutError = LogoutErrors[keyof LogoutErrors];

export type LogoutResponses = {
    /**
     * Сессия завершена
     */
    200: SessionsEnded;
};

export type LogoutResponse = LogoutResponses[keyof LogoutResponses];

export type LogoutEverywhereData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/logout-everywhere';
};

export type LogoutEverywhereErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type LogoutEverywhereError = LogoutEverywhereErrors[keyof LogoutEverywhereErrors];

export type LogoutEverywhereResponses = {
    /**
     * Сессии завершены
     */
    200: SessionsEnded;
};

export type LogoutEverywhereResponse = LogoutEverywhereResponses[keyof LogoutEverywhereResponses];

export type ListSessionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/sessions';
};

export type ListSessionsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListSessionsError = ListSessionsErrors[keyof ListSessionsErrors];

export type ListSessionsResponses = {
    /**
     * Страница сессий в порядке входа
     */
    200: SessionPage;
};

export type ListSessionsResponse = ListSessionsResponses[keyof ListSessionsResponses];

export type EndSessionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sessions/{id}';
};

export type EndSessionErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type EndSessionError = EndSessionErrors[keyof EndSessionErrors];

export type EndSessionResponses = {
    /**
     * Сессия завершена
     */
    200: SessionEnded;
};

export type EndSessionResponse = EndSessionResponses[keyof EndSessionResponses];

export type GetSecondFactorData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/me/totp';
};

export type GetSecondFactorErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetSecondFactorError = GetSecondFactorErrors[keyof GetSecondFactorErrors];

export type GetSecondFactorResponses = {
    /**
     * Состояние
     */
    200: SecondFactor;
};

export type GetSecondFactorResponse = GetSecondFactorResponses[keyof GetSecondFactorResponses];

export type StartSecondFactorData = {
    body: SecondFactorStart;
    path?: never;
    query?: never;
    url: '/me/totp';
};

export type StartSecondFactorErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type StartSecondFactorError = StartSecondFactorErrors[keyof StartSecondFactorErrors];

export type StartSecondFactorResponses = {
    /**
     * Секрет, один раз
     */
    200: SecondFactorSecret;
};

export type StartSecondFactorResponse = StartSecondFactorResponses[keyof StartSecondFactorResponses];

export type ConfirmSecondFactorData = {
    body: SecondFactorConfirm;
    path?: never;
    query?: never;
    url: '/me/totp/confirm';
};

export type ConfirmSecondFactorErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ConfirmSecondFactorError = ConfirmSecondFactorErrors[keyof ConfirmSecondFactorErrors];

export type ConfirmSecondFactorResponses = {
    /**
     * Включён
     */
    200: RecoveryCodes;
};

export type ConfirmSecondFactorResponse = ConfirmSecondFactorResponses[keyof ConfirmSecondFactorResponses];

export type RemoveSecondFactorData = {
    body: SecondFactorRemove;
    path?: never;
    query?: never;
    url: '/me/totp/remove';
};

export type RemoveSecondFactorErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type RemoveSecondFactorError = RemoveSecondFactorErrors[keyof RemoveSecondFactorErrors];

export type RemoveSecondFactorResponses = {
    /**
     * Отключён
     */
    200: SecondFactor;
};

export type RemoveSecondFactorResponse = RemoveSecondFactorResponses[keyof RemoveSecondFactorResponses];

export type ListTokensData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/tokens';
};

export type ListTokensErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListTokensError = ListTokensErrors[keyof ListTokensErrors];

export type ListTokensResponses = {
    /**
     * Страница токенов
     */
    200: TokenPage;
};

export type ListTokensResponse = ListTokensResponses[keyof ListTokensResponses];

export type CreateTokenData = {
    body: TokenCreate;
    path?: never;
    query?: never;
    url: '/tokens';
};

export type CreateTokenErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateTokenError = CreateTokenErrors[keyof CreateTokenErrors];

export type CreateTokenResponses = {
    /**
     * Токен выпущен
     */
    201: NewToken;
};

export type CreateTokenResponse = CreateTokenResponses[keyof CreateTokenResponses];

export type RevokeTokenData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/tokens/{id}';
};

export type RevokeTokenErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type RevokeTokenError = RevokeTokenErrors[keyof RevokeTokenErrors];

export type RevokeTokenResponses = {
    /**
     * Токен отозван
     */
    200: TokenRevoked;
};

export type RevokeTokenResponse = RevokeTokenResponses[keyof RevokeTokenResponses];

export type ListUsersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/users';
};

export type ListUsersErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListUsersError = ListUsersErrors[keyof ListUsersErrors];

export type ListUsersResponses = {
    /**
     * Страница пользователей
     */
    200: UserPage;
};

export type ListUsersResponse = ListUsersResponses[keyof ListUsersResponses];

export type CreateUserData = {
    body: UserCreate;
    path?: never;
    query?: never;
    url: '/users';
};

export type CreateUserErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateUserError = CreateUserErrors[keyof CreateUserErrors];

export type CreateUserResponses = {
    /**
     * Пользователь приглашён или добавлен
     */
    201: UserWithInvitation;
};

export type CreateUserResponse = CreateUserResponses[keyof CreateUserResponses];

export type DeleteUserData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/users/{id}';
};

export type DeleteUserErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteUserError = DeleteUserErrors[keyof DeleteUserErrors];

export type DeleteUserResponses = {
    /**
     * Пользователь удалён
     */
    200: UserDeleted;
};

export type DeleteUserResponse = DeleteUserResponses[keyof DeleteUserResponses];

export type PatchUserData = {
    body: UserPatch;
    path: {
        id: string;
    };
    query?: never;
    url: '/users/{id}';
};

export type PatchUserErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchUserError = PatchUserErrors[keyof PatchUserErrors];

export type PatchUserResponses = {
    /**
     * Пользователь изменён
     */
    200: UserWithInvitation;
};

export type PatchUserResponse = PatchUserResponses[keyof PatchUserResponses];

export type CreateInvitationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/users/{id}/invitation';
};

export type CreateInvitationErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateInvitationError = CreateInvitationErrors[keyof CreateInvitationErrors];

export type CreateInvitationResponses = {
    /**
     * Приглашение
     */
    201: Invitation;
};

export type CreateInvitationResponse = CreateInvitationResponses[keyof CreateInvitationResponses];

export type CreateSignInLinkData = {
    body: SignInLinkCreate;
    path?: never;
    query?: never;
    url: '/sign-in-links';
};

export type CreateSignInLinkErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateSignInLinkError = CreateSignInLinkErrors[keyof CreateSignInLinkErrors];

export type CreateSignInLinkResponses = {
    /**
     * Ссылка сделана
     */
    201: SignInLink;
};

export type CreateSignInLinkResponse = CreateSignInLinkResponses[keyof CreateSignInLinkResponses];

export type ListAuditData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
        project?: string;
        site?: string;
        user?: string;
        operation?: string;
        /**
         * Не раньше
         */
        since?: string;
        /**
         * Раньше
         */
        until?: string;
    };
    url: '/audit';
};

export type ListAuditErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListAuditError = ListAuditErrors[keyof ListAuditErrors];

export type ListAuditResponses = {
    /**
     * Страница журнала
     */
    200: AuditPage;
};

export type ListAuditResponse = ListAuditResponses[keyof ListAuditResponses];

export type ListProjectsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects';
};

export type ListProjectsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListProjectsError = ListProjectsErrors[keyof ListProjectsErrors];

export type ListProjectsResponses = {
    /**
     * Страница проектов
     */
    200: ProjectPage;
};

export type ListProjectsResponse = ListProjectsResponses[keyof ListProjectsResponses];

export type CreateProjectData = {
    body: ProjectCreate;
    path?: never;
    query?: never;
    url: '/projects';
};

export type CreateProjectErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateProjectError = CreateProjectErrors[keyof CreateProjectErrors];

export type CreateProjectResponses = {
    /**
     * Проект создан
     */
    201: Project;
};

export type CreateProjectResponse = CreateProjectResponses[keyof CreateProjectResponses];

export type GetProjectData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}';
};

export type GetProjectErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetProjectError = GetProjectErrors[keyof GetProjectErrors];

export type GetProjectResponses = {
    /**
     * Проект
     */
    200: Project;
};

export type GetProjectResponse = GetProjectResponses[keyof GetProjectResponses];

export type PatchProjectData = {
    body: ProjectPatch;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}';
};

export type PatchProjectErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchProjectError = PatchProjectErrors[keyof PatchProjectErrors];

export type PatchProjectResponses = {
    /**
     * Проект изменён
     */
    200: Project;
};

export type PatchProjectResponse = PatchProjectResponses[keyof PatchProjectResponses];

export type ListProjectKeysData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/keys';
};

export type ListProjectKeysErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListProjectKeysError = ListProjectKeysErrors[keyof ListProjectKeysErrors];

export type ListProjectKeysResponses = {
    /**
     * Страница ключей
     */
    200: ProjectKeyPage;
};

export type ListProjectKeysResponse = ListProjectKeysResponses[keyof ListProjectKeysResponses];

export type CreateProjectKeyData = {
    body: KeyCreate;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/keys';
};

export type CreateProjectKeyErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateProjectKeyError = CreateProjectKeyErrors[keyof CreateProjectKeyErrors];

export type CreateProjectKeyResponses = {
    /**
     * Ключ выпущен
     */
    201: NewProjectKey;
};

export type CreateProjectKeyResponse = CreateProjectKeyResponses[keyof CreateProjectKeyResponses];

export type RevokeProjectKeyData = {
    body?: never;
    path: {
        id: string;
        key_id: string;
    };
    query?: never;
    url: '/projects/{id}/keys/{key_id}';
};

export type RevokeProjectKeyErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type RevokeProjectKeyError = RevokeProjectKeyErrors[keyof RevokeProjectKeyErrors];

export type RevokeProjectKeyResponses = {
    /**
     * Ключ отозван
     */
    200: KeyRevoked;
};

export type RevokeProjectKeyResponse = RevokeProjectKeyResponses[keyof RevokeProjectKeyResponses];

export type ListProjectEventTypesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/event-types';
};

export type ListProjectEventTypesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListProjectEventTypesError = ListProjectEventTypesErrors[keyof ListProjectEventTypesErrors];

export type ListProjectEventTypesResponses = {
    /**
     * Типы событий по коду
     */
    200: EventTypePage;
};

export type ListProjectEventTypesResponse = ListProjectEventTypesResponses[keyof ListProjectEventTypesResponses];

export type PutEventTypeData = {
    body: EventTypePut;
    path: {
        id: string;
        code: string;
    };
    query?: never;
    url: '/projects/{id}/event-types/{code}';
};

export type PutEventTypeErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PutEventTypeError = PutEventTypeErrors[keyof PutEventTypeErrors];

export type PutEventTypeResponses = {
    /**
     * Тип заменён
     */
    200: EventTypeOut;
    /**
     * Тип создан
     */
    201: EventTypeOut;
};

export type PutEventTypeResponse = PutEventTypeResponses[keyof PutEventTypeResponses];

export type ListProjectEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Учётная запись на стороне клиента
         */
        user_id?: string;
        /**
         * Браузер или устройство; печатные символы ASCII
         */
        anonymous_id?: string;
        /**
         * UUID службы отпечатков устройств; учитывается, если она подключена
         */
        fingerprint_uuid?: string;
        /**
         * Идентификатор объекта, с процентным кодированием
         */
        item?: string;
        /**
         * Код типа; только такие среди 20 000 следующих событий
         */
        type?: string;
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/events';
};

export type ListProjectEventsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListProjectEventsError = ListProjectEventsErrors[keyof ListProjectEventsErrors];

export type ListProjectEventsResponses = {
    /**
     * Страница событий
     */
    200: ProjectEvents;
};

export type ListProjectEventsResponse = ListProjectEventsResponses[keyof ListProjectEventsResponses];

export type ListLatestProjectEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Код типа; только такие среди 20 000 последних
         */
        type?: string;
        /**
         * Столько принятых и столько отклонённых
         */
        limit?: number;
    };
    url: '/projects/{id}/events/latest';
};

export type ListLatestProjectEventsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListLatestProjectEventsError = ListLatestProjectEventsErrors[keyof ListLatestProjectEventsErrors];

export type ListLatestProjectEventsResponses = {
    /**
     * Последние события
     */
    200: LatestEvents;
};

export type ListLatestProjectEventsResponse = ListLatestProjectEventsResponses[keyof ListLatestProjectEventsResponses];

export type DeleteProjectUserData = {
    body?: never;
    path: {
        id: string;
        /**
         * Идентификатор, в адресе — с процентным кодированием
         */
        user_id: string;
    };
    query?: {
        /**
         * Чей это идентификатор; без него — первый, кого так зовут, в этом порядке
         */
        kind?: 'user_id' | 'anonymous_id' | 'fingerprint_uuid';
    };
    url: '/projects/{id}/users/{user_id}';
};

export type DeleteProjectUserErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteProjectUserError = DeleteProjectUserErrors[keyof DeleteProjectUserErrors];

export type DeleteProjectUserResponses = {
    /**
     * Удалён
     */
    200: ProjectUserDeleted;
};

export type DeleteProjectUserResponse = DeleteProjectUserResponses[keyof DeleteProjectUserResponses];

export type GetProjectUserData = {
    body?: never;
    path: {
        id: string;
        /**
         * Идентификатор, в адресе — с процентным кодированием
         */
        user_id: string;
    };
    query?: {
        /**
         * Чей это идентификатор; без него — первый, кого так зовут, в этом порядке
         */
        kind?: 'user_id' | 'anonymous_id' | 'fingerprint_uuid';
    };
    url: '/projects/{id}/users/{user_id}';
};

export type GetProjectUserErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetProjectUserError = GetProjectUserErrors[keyof GetProjectUserErrors];

export type GetProjectUserResponses = {
    /**
     * Человек
     */
    200: ProjectUser;
};

export type GetProjectUserResponse = GetProjectUserResponses[keyof GetProjectUserResponses];

export type ListPropertiesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/properties';
};

export type ListPropertiesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListPropertiesError = ListPropertiesErrors[keyof ListPropertiesErrors];

export type ListPropertiesResponses = {
    /**
     * Свойства по имени
     */
    200: PropertyPage;
};

export type ListPropertiesResponse = ListPropertiesResponses[keyof ListPropertiesResponses];

export type PutPropertyData = {
    body: PropertyPut;
    path: {
        id: string;
        name: string;
    };
    query?: never;
    url: '/projects/{id}/properties/{name}';
};

export type PutPropertyErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PutPropertyError = PutPropertyErrors[keyof PutPropertyErrors];

export type PutPropertyResponses = {
    /**
     * Описание изменено
     */
    200: Property;
    /**
     * Свойство описано
     */
    201: Property;
};

export type PutPropertyResponse = PutPropertyResponses[keyof PutPropertyResponses];

export type ListSurfacesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/surfaces';
};

export type ListSurfacesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListSurfacesError = ListSurfacesErrors[keyof ListSurfacesErrors];

export type ListSurfacesResponses = {
    /**
     * Места по имени
     */
    200: SurfacePage;
};

export type ListSurfacesResponse = ListSurfacesResponses[keyof ListSurfacesResponses];

export type DeleteSurfaceData = {
    body?: never;
    path: {
        id: string;
        /**
         * Имя, каким его называют запросы и события
         */
        surface: string;
    };
    query?: never;
    url: '/projects/{id}/surfaces/{surface}';
};

export type DeleteSurfaceErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteSurfaceError = DeleteSurfaceErrors[keyof DeleteSurfaceErrors];

export type DeleteSurfaceResponses = {
    /**
     * Настройки убраны
     */
    200: SurfaceDeleted;
};

export type DeleteSurfaceResponse = DeleteSurfaceResponses[keyof DeleteSurfaceResponses];

export type GetSurfaceData = {
    body?: never;
    path: {
        id: string;
        /**
         * Имя, каким его называют запросы и события
         */
        surface: string;
    };
    query?: never;
    url: '/projects/{id}/surfaces/{surface}';
};

export type GetSurfaceErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetSurfaceError = GetSurfaceErrors[keyof GetSurfaceErrors];

export type GetSurfaceResponses = {
    /**
     * Место
     */
    200: Surface;
};

export type GetSurfaceResponse = GetSurfaceResponses[keyof GetSurfaceResponses];

export type PutSurfaceData = {
    body: SurfacePut;
    path: {
        id: string;
        /**
         * Имя, каким его называют запросы и события
         */
        surface: string;
    };
    query?: never;
    url: '/projects/{id}/surfaces/{surface}';
};

export type PutSurfaceErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PutSurfaceError = PutSurfaceErrors[keyof PutSurfaceErrors];

export type PutSurfaceResponses = {
    /**
     * Настройки заменены
     */
    200: Surface;
    /**
     * Место настроено
     */
    201: Surface;
};

export type PutSurfaceResponse = PutSurfaceResponses[keyof PutSurfaceResponses];

export type ReportOutputData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Первый день
         */
        from?: string;
        /**
         * Последний день
         */
        until?: string;
        /**
         * Только это место
         */
        surface?: string;
        /**
         * Через запятую; по умолчанию surface,variant
         */
        group?: Array<'surface' | 'position' | 'variant' | 'day'>;
    };
    url: '/projects/{id}/output/report';
};

export type ReportOutputErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ReportOutputError = ReportOutputErrors[keyof ReportOutputErrors];

export type ReportOutputResponses = {
    /**
     * Отчёт
     */
    200: OutputReport;
};

export type ReportOutputResponse = ReportOutputResponses[keyof ReportOutputResponses];

export type GetSynonymsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/synonyms';
};

export type GetSynonymsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetSynonymsError = GetSynonymsErrors[keyof GetSynonymsErrors];

export type GetSynonymsResponses = {
    /**
     * Все синонимы проекта
     */
    200: Synonyms;
};

export type GetSynonymsResponse = GetSynonymsResponses[keyof GetSynonymsResponses];

export type PutSynonymsData = {
    body: Synonyms;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/synonyms';
};

export type PutSynonymsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PutSynonymsError = PutSynonymsErrors[keyof PutSynonymsErrors];

export type PutSynonymsResponses = {
    /**
     * Синонимы заменены
     */
    200: Synonyms;
};

export type PutSynonymsResponse = PutSynonymsResponses[keyof PutSynonymsResponses];

export type PreviewOutputData = {
    body: OutputPreview;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/output/preview';
};

export type PreviewOutputErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PreviewOutputError = PreviewOutputErrors[keyof PreviewOutputErrors];

export type PreviewOutputResponses = {
    /**
     * Выдача
     */
    200: OutputResponse | SearchResponse | SuggestResponse;
};

export type PreviewOutputResponse = PreviewOutputResponses[keyof PreviewOutputResponses];

export type FindObstaclesData = {
    body: OutputObstacles;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/output/obstacles';
};

export type FindObstaclesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type FindObstaclesError = FindObstaclesErrors[keyof FindObstaclesErrors];

export type FindObstaclesResponses = {
    /**
     * Место объекта или то, что его не пускает
     */
    200: PlaceOfItem;
};

export type FindObstaclesResponse = FindObstaclesResponses[keyof FindObstaclesResponses];

export type ListProjectItemsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * До 100 идентификаторов через запятую, каждый — с процентным кодированием (запятая внутри — %2C)
         */
        ids?: Array<string>;
        status?: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred';
        type?: 'video' | 'image' | 'audio' | 'text' | 'mixed';
        origin?: 'api' | 'import' | 'order';
        /**
         * Можно ли показывать в выдаче; удалённые не подходят ни к true, ни к false
         */
        available?: boolean;
        deleted?: boolean;
        /**
         * unknown — не оценено
         */
        moderation?: 'none' | 'low' | 'medium' | 'high' | 'unknown';
        /**
         * Объекты, чей анализ остановился на этом шаге: failed, deferred или waiting
         */
        step?: 'prepare' | 'speech' | 'vision' | 'summary' | 'embedding';
        /**
         * Вместе со step: код, с которым этот шаг остановился
         */
        error_code?: string;
        /**
         * Начало идентификатора либо слова названия
         */
        q?: string;
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/items';
};

export type ListProjectItemsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListProjectItemsError = ListProjectItemsErrors[keyof ListProjectItemsErrors];

export type ListProjectItemsResponses = {
    /**
     * Страница объектов
     */
    200: CabinetItemPage;
};

export type ListProjectItemsResponse = ListProjectItemsResponses[keyof ListProjectItemsResponses];

export type DeleteProjectItemData = {
    body?: never;
    path: {
        id: string;
        /**
         * Любой идентификатор объекта, в кодировке URL
         */
        item: string;
    };
    query?: never;
    url: '/projects/{id}/items/{item}';
};

export type DeleteProjectItemErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteProjectItemError = DeleteProjectItemErrors[keyof DeleteProjectItemErrors];

export type DeleteProjectItemResponses = {
    /**
     * Объект удалён
     */
    200: ItemDeleteResponse;
};

export type DeleteProjectItemResponse = DeleteProjectItemResponses[keyof DeleteProjectItemResponses];

export type GetProjectItemData = {
    body?: never;
    path: {
        id: string;
        /**
         * Любой идентификатор объекта, в кодировке URL
         */
        item: string;
    };
    query?: {
        /**
         * Что приложить, через запятую
         */
        include?: Array<'transcript' | 'frames' | 'search_chunks' | 'body' | 'evidence'>;
    };
    url: '/projects/{id}/items/{item}';
};

export type GetProjectItemErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetProjectItemError = GetProjectItemErrors[keyof GetProjectItemErrors];

export type GetProjectItemResponses = {
    /**
     * Объект
     */
    200: CabinetItemDetail;
};

export type GetProjectItemResponse = GetProjectItemResponses[keyof GetProjectItemResponses];

export type PatchProjectItemData = {
    body: ItemPatchRequest;
    path: {
        id: string;
        /**
         * Любой идентификатор объекта, в кодировке URL
         */
        item: string;
    };
    query?: never;
    url: '/projects/{id}/items/{item}';
};

export type PatchProjectItemErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchProjectItemError = PatchProjectItemErrors[keyof PatchProjectItemErrors];

export type PatchProjectItemResponses = {
    /**
     * Объект изменён
     */
    200: ItemWriteResponse;
};

export type PatchProjectItemResponse = PatchProjectItemResponses[keyof PatchProjectItemResponses];

export type PutProjectItemData = {
    body: ItemPutRequest;
    path: {
        id: string;
        /**
         * Любой идентификатор объекта, в кодировке URL
         */
        item: string;
    };
    query?: never;
    url: '/projects/{id}/items/{item}';
};

export type PutProjectItemErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PutProjectItemError = PutProjectItemErrors[keyof PutProjectItemErrors];

export type PutProjectItemResponses = {
    /**
     * Объект обновлён
     */
    200: ItemWriteResponse;
    /**
     * Объект создан
     */
    201: ItemWriteResponse;
};

export type PutProjectItemResponse = PutProjectItemResponses[keyof PutProjectItemResponses];

export type GetItemStatisticsData = {
    body?: never;
    path: {
        id: string;
        /**
         * Любой идентификатор объекта, в кодировке URL
         */
        item: string;
    };
    query?: {
        /**
         * Первый день
         */
        from?: string;
        /**
         * Последний день
         */
        to?: string;
    };
    url: '/projects/{id}/items/{item}/statistics';
};

export type GetItemStatisticsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetItemStatisticsError = GetItemStatisticsErrors[keyof GetItemStatisticsErrors];

export type GetItemStatisticsResponses = {
    /**
     * Статистика
     */
    200: ItemStatistics;
};

export type GetItemStatisticsResponse = GetItemStatisticsResponses[keyof GetItemStatisticsResponses];

export type ReprocessProjectItemData = {
    body?: ReprocessRequest;
    path: {
        id: string;
        /**
         * Любой идентификатор объекта, в кодировке URL
         */
        item: string;
    };
    query?: never;
    url: '/projects/{id}/items/{item}/reprocess';
};

export type ReprocessProjectItemErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ReprocessProjectItemError = ReprocessProjectItemErrors[keyof ReprocessProjectItemErrors];

export type ReprocessProjectItemResponses = {
    /**
     * Анализ поставлен в очередь
     */
    202: ItemWriteResponse;
};

export type ReprocessProjectItemResponse = ReprocessProjectItemResponses[keyof ReprocessProjectItemResponses];

export type ListImportsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/imports';
};

export type ListImportsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListImportsError = ListImportsErrors[keyof ListImportsErrors];

export type ListImportsResponses = {
    /**
     * Страница импортов
     */
    200: ImportPage;
};

export type ListImportsResponse = ListImportsResponses[keyof ListImportsResponses];

export type CreateImportData = {
    body: string;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/imports';
};

export type CreateImportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateImportError = CreateImportErrors[keyof CreateImportErrors];

export type CreateImportResponses = {
    /**
     * Файл принят, импорт начнётся
     */
    202: Import;
};

export type CreateImportResponse = CreateImportResponses[keyof CreateImportResponses];

export type GetImportData = {
    body?: never;
    path: {
        id: string;
        import_id: string;
    };
    query?: never;
    url: '/projects/{id}/imports/{import_id}';
};

export type GetImportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetImportError = GetImportErrors[keyof GetImportErrors];

export type GetImportResponses = {
    /**
     * Импорт
     */
    200: ImportWithErrors;
};

export type GetImportResponse = GetImportResponses[keyof GetImportResponses];

export type GetPipelineData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/pipeline';
};

export type GetPipelineErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetPipelineError = GetPipelineErrors[keyof GetPipelineErrors];

export type GetPipelineResponses = {
    /**
     * Состояние анализа
     */
    200: Pipeline;
};

export type GetPipelineResponse = GetPipelineResponses[keyof GetPipelineResponses];

export type CreateRerunData = {
    body?: RerunRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/rerun';
};

export type CreateRerunErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateRerunError = CreateRerunErrors[keyof CreateRerunErrors];

export type CreateRerunResponses = {
    /**
     * Принято
     */
    202: Rerun;
};

export type CreateRerunResponse = CreateRerunResponses[keyof CreateRerunResponses];

export type ListRerunsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/reruns';
};

export type ListRerunsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListRerunsError = ListRerunsErrors[keyof ListRerunsErrors];

export type ListRerunsResponses = {
    /**
     * Страница новых анализов
     */
    200: RerunPage;
};

export type ListRerunsResponse = ListRerunsResponses[keyof ListRerunsResponses];

export type GetRerunData = {
    body?: never;
    path: {
        id: string;
        rerun: string;
    };
    query?: never;
    url: '/projects/{id}/reruns/{rerun}';
};

export type GetRerunErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetRerunError = GetRerunErrors[keyof GetRerunErrors];

export type GetRerunResponses = {
    /**
     * Новый анализ
     */
    200: Rerun;
};

export type GetRerunResponse = GetRerunResponses[keyof GetRerunResponses];

export type CancelRerunData = {
    body?: never;
    path: {
        id: string;
        rerun: string;
    };
    query?: never;
    url: '/projects/{id}/reruns/{rerun}/cancel';
};

export type CancelRerunErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CancelRerunError = CancelRerunErrors[keyof CancelRerunErrors];

export type CancelRerunResponses = {
    /**
     * Новый анализ
     */
    200: Rerun;
};

export type CancelRerunResponse = CancelRerunResponses[keyof CancelRerunResponses];

export type ListModelsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/output/models';
};

export type ListModelsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListModelsError = ListModelsErrors[keyof ListModelsErrors];

export type ListModelsResponses = {
    /**
     * Страница моделей
     */
    200: ModelPage;
};

export type ListModelsResponse = ListModelsResponses[keyof ListModelsResponses];

export type TrainModelData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/output/train';
};

export type TrainModelErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type TrainModelError = TrainModelErrors[keyof TrainModelErrors];

export type TrainModelResponses = {
    /**
     * Принято
     */
    202: Model;
};

export type TrainModelResponse = TrainModelResponses[keyof TrainModelResponses];

export type GetUsageData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Например 2026-11; без него — текущий
         */
        month?: string;
    };
    url: '/projects/{id}/usage';
};

export type GetUsageErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetUsageError = GetUsageErrors[keyof GetUsageErrors];

export type GetUsageResponses = {
    /**
     * Объём и обращения к провайдерам
     */
    200: Usage;
};

export type GetUsageResponse = GetUsageResponses[keyof GetUsageResponses];

export type ListWebhooksData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks';
};

export type ListWebhooksErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListWebhooksError = ListWebhooksErrors[keyof ListWebhooksErrors];

export type ListWebhooksResponses = {
    /**
     * Не больше 5, одной страницей
     */
    200: WebhookPage;
};

export type ListWebhooksResponse = ListWebhooksResponses[keyof ListWebhooksResponses];

export type CreateWebhookData = {
    body: WebhookCreate;
    path: {
        id: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks';
};

export type CreateWebhookErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateWebhookError = CreateWebhookErrors[keyof CreateWebhookErrors];

export type CreateWebhookResponses = {
    /**
     * Вебхук создан
     */
    201: NewWebhook;
};

export type CreateWebhookResponse = CreateWebhookResponses[keyof CreateWebhookResponses];

export type DeleteWebhookData = {
    body?: never;
    path: {
        id: string;
        wid: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}';
};

export type DeleteWebhookErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteWebhookError = DeleteWebhookErrors[keyof DeleteWebhookErrors];

export type DeleteWebhookResponses = {
    /**
     * Вебхук удалён
     */
    200: WebhookDeleted;
};

export type DeleteWebhookResponse = DeleteWebhookResponses[keyof DeleteWebhookResponses];

export type GetWebhookData = {
    body?: never;
    path: {
        id: string;
        wid: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}';
};

export type GetWebhookErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetWebhookError = GetWebhookErrors[keyof GetWebhookErrors];

export type GetWebhookResponses = {
    /**
     * Вебхук
     */
    200: Webhook;
};

export type GetWebhookResponse = GetWebhookResponses[keyof GetWebhookResponses];

export type PatchWebhookData = {
    body: WebhookPatch;
    path: {
        id: string;
        wid: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}';
};

export type PatchWebhookErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchWebhookError = PatchWebhookErrors[keyof PatchWebhookErrors];

export type PatchWebhookResponses = {
    /**
     * Вебхук изменён
     */
    200: Webhook;
};

export type PatchWebhookResponse = PatchWebhookResponses[keyof PatchWebhookResponses];

export type RotateWebhookSecretData = {
    body?: never;
    path: {
        id: string;
        wid: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}/rotate';
};

export type RotateWebhookSecretErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type RotateWebhookSecretError = RotateWebhookSecretErrors[keyof RotateWebhookSecretErrors];

export type RotateWebhookSecretResponses = {
    /**
     * Новый секрет, показывается один раз
     */
    200: RotatedSecret;
};

export type RotateWebhookSecretResponse = RotateWebhookSecretResponses[keyof RotateWebhookSecretResponses];

export type TestWebhookData = {
    body?: never;
    path: {
        id: string;
        wid: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}/test';
};

export type TestWebhookErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type TestWebhookError = TestWebhookErrors[keyof TestWebhookErrors];

export type TestWebhookResponses = {
    /**
     * Исход попытки
     */
    200: WebhookTestResult;
};

export type TestWebhookResponse = TestWebhookResponses[keyof TestWebhookResponses];

export type ListWebhookAlertsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/webhooks/alerts';
};

export type ListWebhookAlertsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListWebhookAlertsError = ListWebhookAlertsErrors[keyof ListWebhookAlertsErrors];

export type ListWebhookAlertsResponses = {
    /**
     * Страница вебхуков
     */
    200: WebhookAlertPage;
};

export type ListWebhookAlertsResponse = ListWebhookAlertsResponses[keyof ListWebhookAlertsResponses];

export type GetTroublesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/troubles';
};

export type GetTroublesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetTroublesError = GetTroublesErrors[keyof GetTroublesErrors];

export type GetTroublesResponses = {
    /**
     * Неудачи и затихшие сайты
     */
    200: Troubles;
};

export type GetTroublesResponse = GetTroublesResponses[keyof GetTroublesResponses];

export type GetInstallationData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/installation';
};

export type GetInstallationErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetInstallationError = GetInstallationErrors[keyof GetInstallationErrors];

export type GetInstallationResponses = {
    /**
     * Состояние
     */
    200: Installation;
};

export type GetInstallationResponse = GetInstallationResponses[keyof GetInstallationResponses];

export type ListProvidersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/providers';
};

export type ListProvidersErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListProvidersError = ListProvidersErrors[keyof ListProvidersErrors];

export type ListProvidersResponses = {
    /**
     * По одному на каждую возможность; пусто, пока worker-ai не запускался
     */
    200: ProviderChecks;
};

export type ListProvidersResponse = ListProvidersResponses[keyof ListProvidersResponses];

export type CheckProvidersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/providers/check';
};

export type CheckProvidersErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CheckProvidersError = CheckProvidersErrors[keyof CheckProvidersErrors];

export type CheckProvidersResponses = {
    /**
     * Проба запрошена
     */
    202: ProviderCheckRequested;
};

export type CheckProvidersResponse = CheckProvidersResponses[keyof CheckProvidersResponses];

export type GetWebhookStatisticsData = {
    body?: never;
    path: {
        id: string;
        wid: string;
    };
    query?: {
        /**
         * За сколько часов
         */
        hours?: number;
    };
    url: '/projects/{id}/webhooks/{wid}/statistics';
};

export type GetWebhookStatisticsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetWebhookStatisticsError = GetWebhookStatisticsErrors[keyof GetWebhookStatisticsErrors];

export type GetWebhookStatisticsResponses = {
    /**
     * Статистика
     */
    200: WebhookStatistics;
};

export type GetWebhookStatisticsResponse = GetWebhookStatisticsResponses[keyof GetWebhookStatisticsResponses];

export type ListItemDeliveriesData = {
    body?: never;
    path: {
        id: string;
    };
    query: {
        /**
         * Идентификатор объекта
         */
        item: string;
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/deliveries';
};

export type ListItemDeliveriesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListItemDeliveriesError = ListItemDeliveriesErrors[keyof ListItemDeliveriesErrors];

export type ListItemDeliveriesResponses = {
    /**
     * Страница доставок
     */
    200: ItemDeliveryPage;
};

export type ListItemDeliveriesResponse = ListItemDeliveriesResponses[keyof ListItemDeliveriesResponses];

export type ListDeliveriesData = {
    body?: never;
    path: {
        id: string;
        wid: string;
    };
    query?: {
        status?: 'pending' | 'delivered' | 'failed' | 'dropped';
        event?: 'item.processed' | 'item.failed' | 'webhook.test';
        /**
         * Идентификатор объекта
         */
        item?: string;
        /**
         * Чем закончилась последняя попытка
         */
        error_code?: 'timeout' | 'connection' | 'tls' | 'dns' | 'http_status' | 'redirect' | 'forbidden_address';
        /**
         * Создана не раньше
         */
        since?: string;
        /**
         * Создана раньше
         */
        until?: string;
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/webhooks/{wid}/deliveries';
};

export type ListDeliveriesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListDeliveriesError = ListDeliveriesErrors[keyof ListDeliveriesErrors];

export type ListDeliveriesResponses = {
    /**
     * Страница журнала
     */
    200: DeliveryPage;
};

export type ListDeliveriesResponse = ListDeliveriesResponses[keyof ListDeliveriesResponses];

export type GetDeliveryData = {
    body?: never;
    path: {
        id: string;
        wid: string;
        delivery_id: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}/deliveries/{delivery_id}';
};

export type GetDeliveryErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetDeliveryError = GetDeliveryErrors[keyof GetDeliveryErrors];

export type GetDeliveryResponses = {
    /**
     * Доставка
     */
    200: DeliveryDetail;
};

export type GetDeliveryResponse = GetDeliveryResponses[keyof GetDeliveryResponses];

export type ResendDeliveryData = {
    body?: never;
    path: {
        id: string;
        wid: string;
        delivery_id: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}/deliveries/{delivery_id}/resend';
};

export type ResendDeliveryErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ResendDeliveryError = ResendDeliveryErrors[keyof ResendDeliveryErrors];

export type ResendDeliveryResponses = {
    /**
     * Попытка поставлена в очередь
     */
    202: Resent;
};

export type ResendDeliveryResponse = ResendDeliveryResponses[keyof ResendDeliveryResponses];

export type RecoverDeliveriesData = {
    body: RecoverRequest;
    path: {
        id: string;
        wid: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}/recover';
};

export type RecoverDeliveriesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type RecoverDeliveriesError = RecoverDeliveriesErrors[keyof RecoverDeliveriesErrors];

export type RecoverDeliveriesResponses = {
    /**
     * Принято
     */
    202: Recovery;
};

export type RecoverDeliveriesResponse = RecoverDeliveriesResponses[keyof RecoverDeliveriesResponses];

export type ListRecoveriesData = {
    body?: never;
    path: {
        id: string;
        wid: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/projects/{id}/webhooks/{wid}/recoveries';
};

export type ListRecoveriesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListRecoveriesError = ListRecoveriesErrors[keyof ListRecoveriesErrors];

export type ListRecoveriesResponses = {
    /**
     * Страница восстановлений
     */
    200: RecoveryPage;
};

export type ListRecoveriesResponse = ListRecoveriesResponses[keyof ListRecoveriesResponses];

export type GetRecoveryData = {
    body?: never;
    path: {
        id: string;
        wid: string;
        rid: string;
    };
    query?: never;
    url: '/projects/{id}/webhooks/{wid}/recoveries/{rid}';
};

export type GetRecoveryErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetRecoveryError = GetRecoveryErrors[keyof GetRecoveryErrors];

export type GetRecoveryResponses = {
    /**
     * Восстановление
     */
    200: Recovery;
};

export type GetRecoveryResponse = GetRecoveryResponses[keyof GetRecoveryResponses];

export type ListSitesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/sites';
};

export type ListSitesErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListSitesError = ListSitesErrors[keyof ListSitesErrors];

export type ListSitesResponses = {
    /**
     * Страница сайтов
     */
    200: SitePage;
};

export type ListSitesResponse = ListSitesResponses[keyof ListSitesResponses];

export type CreateSiteData = {
    body: SiteCreate;
    path?: never;
    query?: never;
    url: '/sites';
};

export type CreateSiteErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateSiteError = CreateSiteErrors[keyof CreateSiteErrors];

export type CreateSiteResponses = {
    /**
     * Сайт создан
     */
    201: Site;
};

export type CreateSiteResponse = CreateSiteResponses[keyof CreateSiteResponses];

export type GetSiteData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}';
};

export type GetSiteErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetSiteError = GetSiteErrors[keyof GetSiteErrors];

export type GetSiteResponses = {
    /**
     * Сайт
     */
    200: Site;
};

export type GetSiteResponse = GetSiteResponses[keyof GetSiteResponses];

export type PatchSiteData = {
    body: SitePatch;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}';
};

export type PatchSiteErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchSiteError = PatchSiteErrors[keyof PatchSiteErrors];

export type PatchSiteResponses = {
    /**
     * Сайт изменён
     */
    200: Site;
};

export type PatchSiteResponse = PatchSiteResponses[keyof PatchSiteResponses];

export type ListSiteKeysData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/sites/{id}/keys';
};

export type ListSiteKeysErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListSiteKeysError = ListSiteKeysErrors[keyof ListSiteKeysErrors];

export type ListSiteKeysResponses = {
    /**
     * Страница ключей
     */
    200: SiteKeyPage;
};

export type ListSiteKeysResponse = ListSiteKeysResponses[keyof ListSiteKeysResponses];

export type CreateSiteKeyData = {
    body: SiteKeyCreate;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/keys';
};

export type CreateSiteKeyErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateSiteKeyError = CreateSiteKeyErrors[keyof CreateSiteKeyErrors];

export type CreateSiteKeyResponses = {
    /**
     * Ключ выпущен
     */
    201: NewSiteKey;
};

export type CreateSiteKeyResponse = CreateSiteKeyResponses[keyof CreateSiteKeyResponses];

export type RevokeSiteKeyData = {
    body?: never;
    path: {
        id: string;
        key_id: string;
    };
    query?: never;
    url: '/sites/{id}/keys/{key_id}';
};

export type RevokeSiteKeyErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type RevokeSiteKeyError = RevokeSiteKeyErrors[keyof RevokeSiteKeyErrors];

export type RevokeSiteKeyResponses = {
    /**
     * Ключ отозван
     */
    200: SiteKeyRevoked;
};

export type RevokeSiteKeyResponse = RevokeSiteKeyResponses[keyof RevokeSiteKeyResponses];

export type GetSiteStatusData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/status';
};

export type GetSiteStatusErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetSiteStatusError = GetSiteStatusErrors[keyof GetSiteStatusErrors];

export type GetSiteStatusResponses = {
    /**
     * Состояние счётчика и квот
     */
    200: SiteStatus;
};

export type GetSiteStatusResponse = GetSiteStatusResponses[keyof GetSiteStatusResponses];

export type GetSiteTagData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/tag';
};

export type GetSiteTagErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetSiteTagError = GetSiteTagErrors[keyof GetSiteTagErrors];

export type GetSiteTagResponses = {
    /**
     * Код счётчика
     */
    200: SiteTag;
};

export type GetSiteTagResponse = GetSiteTagResponses[keyof GetSiteTagResponses];

export type ListGoalsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/goals';
};

export type ListGoalsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListGoalsError = ListGoalsErrors[keyof ListGoalsErrors];

export type ListGoalsResponses = {
    /**
     * Цели по коду
     */
    200: GoalPage;
};

export type ListGoalsResponse = ListGoalsResponses[keyof ListGoalsResponses];

export type DeleteGoalData = {
    body?: never;
    path: {
        id: string;
        code: string;
    };
    query?: never;
    url: '/sites/{id}/goals/{code}';
};

export type DeleteGoalErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteGoalError = DeleteGoalErrors[keyof DeleteGoalErrors];

export type DeleteGoalResponses = {
    /**
     * Цель удалена
     */
    200: GoalDeleted;
};

export type DeleteGoalResponse = DeleteGoalResponses[keyof DeleteGoalResponses];

export type PutGoalData = {
    body: GoalPut;
    path: {
        id: string;
        code: string;
    };
    query?: never;
    url: '/sites/{id}/goals/{code}';
};

export type PutGoalErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PutGoalError = PutGoalErrors[keyof PutGoalErrors];

export type PutGoalResponses = {
    /**
     * Цель заменена
     */
    200: Goal;
    /**
     * Цель создана
     */
    201: Goal;
};

export type PutGoalResponse = PutGoalResponses[keyof PutGoalResponses];

export type TryGoalData = {
    body: GoalTry;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/goals/try';
};

export type TryGoalErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type TryGoalError = TryGoalErrors[keyof TryGoalErrors];

export type TryGoalResponses = {
    /**
     * Что достигло бы цели
     */
    200: GoalTried;
};

export type TryGoalResponse = TryGoalResponses[keyof TryGoalResponses];

export type PostReportData = {
    body: ReportRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/reports';
};

export type PostReportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PostReportError = PostReportErrors[keyof PostReportErrors];

export type PostReportResponses = {
    /**
     * Отчёт
     */
    200: ReportResponse;
};

export type PostReportResponse = PostReportResponses[keyof PostReportResponses];

export type PostReportBatchData = {
    body: {
        reports: Array<ReportRequest>;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/reports/batch';
};

export type PostReportBatchErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PostReportBatchError = PostReportBatchErrors[keyof PostReportBatchErrors];

export type PostReportBatchResponses = {
    /**
     * Строки отчётов
     */
    200: ReportBatchLine;
};

export type PostReportBatchResponse = PostReportBatchResponses[keyof PostReportBatchResponses];

export type GetReportFieldsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/report-fields';
};

export type GetReportFieldsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetReportFieldsError = GetReportFieldsErrors[keyof GetReportFieldsErrors];

export type GetReportFieldsResponses = {
    /**
     * Поля отчётов
     */
    200: ReportFields;
};

export type GetReportFieldsResponse = GetReportFieldsResponses[keyof GetReportFieldsResponses];

export type GetClicksData = {
    body?: never;
    path: {
        id: string;
    };
    query: {
        /**
         * Адрес страницы целиком
         */
        page: string;
        /**
         * Первый день
         */
        date_from?: string;
        /**
         * Последний день
         */
        date_to?: string;
        /**
         * Только визиты с таких устройств
         */
        device?: 'desktop' | 'mobile' | 'tablet' | 'tv' | 'console' | 'other';
        segment?: string;
    };
    url: '/sites/{id}/clicks';
};

export type GetClicksErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetClicksError = GetClicksErrors[keyof GetClicksErrors];

export type GetClicksResponses = {
    /**
     * Карта кликов
     */
    200: ClickMap;
};

export type GetClicksResponse = GetClicksResponses[keyof GetClicksResponses];

export type GetScrollsData = {
    body?: never;
    path: {
        id: string;
    };
    query: {
        /**
         * Адрес страницы целиком
         */
        page: string;
        /**
         * Первый день
         */
        date_from?: string;
        /**
         * Последний день
         */
        date_to?: string;
        /**
         * Только визиты с таких устройств
         */
        device?: 'desktop' | 'mobile' | 'tablet' | 'tv' | 'console' | 'other';
        segment?: string;
    };
    url: '/sites/{id}/scrolls';
};

export type GetScrollsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetScrollsError = GetScrollsErrors[keyof GetScrollsErrors];

export type GetScrollsResponses = {
    /**
     * Карта прокрутки
     */
    200: ScrollMap;
};

export type GetScrollsResponse = GetScrollsResponses[keyof GetScrollsResponses];

export type CreateMapLinkData = {
    body: MapLinkBody;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/map-links';
};

export type CreateMapLinkErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateMapLinkError = CreateMapLinkErrors[keyof CreateMapLinkErrors];

export type CreateMapLinkResponses = {
    /**
     * Ссылка
     */
    201: MapLink;
};

export type CreateMapLinkResponse = CreateMapLinkResponses[keyof CreateMapLinkResponses];

export type ListExportsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/sites/{id}/exports';
};

export type ListExportsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListExportsError = ListExportsErrors[keyof ListExportsErrors];

export type ListExportsResponses = {
    /**
     * Страница выгрузок
     */
    200: ExportPage;
};

export type ListExportsResponse = ListExportsResponses[keyof ListExportsResponses];

export type CreateExportData = {
    body: ExportRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/exports';
};

export type CreateExportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateExportError = CreateExportErrors[keyof CreateExportErrors];

export type CreateExportResponses = {
    /**
     * Файл готов
     */
    201: Export;
    /**
     * Файл в очереди
     */
    202: Export;
};

export type CreateExportResponse = CreateExportResponses[keyof CreateExportResponses];

export type GetExportData = {
    body?: never;
    path: {
        id: string;
        export: string;
    };
    query?: never;
    url: '/sites/{id}/exports/{export}';
};

export type GetExportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetExportError = GetExportErrors[keyof GetExportErrors];

export type GetExportResponses = {
    /**
     * Выгрузка
     */
    200: Export;
};

export type GetExportResponse = GetExportResponses[keyof GetExportResponses];

export type ListRecordingsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
        visitor?: string;
        /**
         * Не раньше; по received_at
         */
        since?: string;
        /**
         * Раньше; по received_at
         */
        until?: string;
        favourite?: boolean;
        visit?: string;
        /**
         * Часть адреса страницы из записи, а также первой или последней страницы визита; без учёта регистра
         */
        page?: string;
        source_type?: 'direct' | 'internal' | 'organic' | 'ad' | 'referral' | 'social' | 'messenger' | 'email' | 'ai_assistant' | 'recommendation' | 'saved' | 'unknown';
        /**
         * Название источника, как в source_name отчётов
         */
        source?: string;
        /**
         * Не короче, в секундах
         */
        min_duration?: number;
        /**
         * Не длиннее, в секундах
         */
        max_duration?: number;
        /**
         * Код цели, достигнутой за визит
         */
        goal?: string;
        /**
         * true — с ошибками скриптов, false — без них
         */
        errors?: boolean;
        segment?: string;
    };
    url: '/sites/{id}/recordings';
};

export type ListRecordingsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListRecordingsError = ListRecordingsErrors[keyof ListRecordingsErrors];

export type ListRecordingsResponses = {
    /**
     * Страница записей
     */
    200: RecordingPage;
};

export type ListRecordingsResponse = ListRecordingsResponses[keyof ListRecordingsResponses];

export type DeleteRecordingData = {
    body?: never;
    path: {
        id: string;
        recording: string;
    };
    query?: never;
    url: '/sites/{id}/recordings/{recording}';
};

export type DeleteRecordingErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteRecordingError = DeleteRecordingErrors[keyof DeleteRecordingErrors];

export type DeleteRecordingResponses = {
    /**
     * Запись удалена
     */
    200: RecordingDeleted;
};

export type DeleteRecordingResponse = DeleteRecordingResponses[keyof DeleteRecordingResponses];

export type GetRecordingData = {
    body?: never;
    path: {
        id: string;
        recording: string;
    };
    query?: never;
    url: '/sites/{id}/recordings/{recording}';
};

export type GetRecordingErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetRecordingError = GetRecordingErrors[keyof GetRecordingErrors];

export type GetRecordingResponses = {
    /**
     * Запись
     */
    200: RecordingWithParts;
};

export type GetRecordingResponse = GetRecordingResponses[keyof GetRecordingResponses];

export type PatchRecordingData = {
    body: RecordingPatch;
    path: {
        id: string;
        recording: string;
    };
    query?: never;
    url: '/sites/{id}/recordings/{recording}';
};

export type PatchRecordingErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchRecordingError = PatchRecordingErrors[keyof PatchRecordingErrors];

export type PatchRecordingResponses = {
    /**
     * Запись
     */
    200: Recording;
};

export type PatchRecordingResponse = PatchRecordingResponses[keyof PatchRecordingResponses];

export type GetRecordingTimelineData = {
    body?: never;
    path: {
        id: string;
        recording: string;
    };
    query?: never;
    url: '/sites/{id}/recordings/{recording}/timeline';
};

export type GetRecordingTimelineErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetRecordingTimelineError = GetRecordingTimelineErrors[keyof GetRecordingTimelineErrors];

export type GetRecordingTimelineResponses = {
    /**
     * Лента событий
     */
    200: RecordingTimeline;
};

export type GetRecordingTimelineResponse = GetRecordingTimelineResponses[keyof GetRecordingTimelineResponses];

export type GetRecordingChunksData = {
    body?: never;
    path: {
        id: string;
        recording: string;
    };
    query?: {
        /**
         * Номер первой части
         */
        from?: number;
    };
    url: '/sites/{id}/recordings/{recording}/chunks';
};

export type GetRecordingChunksErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetRecordingChunksError = GetRecordingChunksErrors[keyof GetRecordingChunksErrors];

export type GetRecordingChunksResponses = {
    /**
     * Номер, длина и gzip каждой части
     */
    200: Blob | File;
};

export type GetRecordingChunksResponse = GetRecordingChunksResponses[keyof GetRecordingChunksResponses];

export type GetRecordingChunkData = {
    body?: never;
    path: {
        id: string;
        recording: string;
        seq: string;
    };
    query?: never;
    url: '/sites/{id}/recordings/{recording}/chunks/{seq}';
};

export type GetRecordingChunkErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetRecordingChunkError = GetRecordingChunkErrors[keyof GetRecordingChunkErrors];

export type GetRecordingChunkResponses = {
    /**
     * Файл gzip: массив событий rrweb в JSON
     */
    200: Blob | File;
};

export type GetRecordingChunkResponse = GetRecordingChunkResponses[keyof GetRecordingChunkResponses];

export type ListVisitorsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
        visitor?: string;
        /**
         * Посетители, которых когда-либо связали с этим пользователем; до 100
         */
        user_id?: string;
        /**
         * Визит начался не раньше; без него — за 30 дней до until
         */
        since?: string;
        /**
         * Визит начался раньше; без него — сейчас
         */
        until?: string;
        /**
         * Код цели, достигнутой за визит
         */
        goal?: string;
        /**
         * Последний значимый источник, как в отчётах
         */
        source_type?: 'direct' | 'internal' | 'organic' | 'ad' | 'referral' | 'social' | 'messenger' | 'email' | 'ai_assistant' | 'recommendation' | 'saved' | 'unknown';
        /**
         * Название источника, как в source_name отчётов
         */
        source?: string;
        /**
         * Часть адреса первой или последней страницы визита; без учёта регистра
         */
        page?: string;
    };
    url: '/sites/{id}/visitors';
};

export type ListVisitorsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListVisitorsError = ListVisitorsErrors[keyof ListVisitorsErrors];

export type ListVisitorsResponses = {
    /**
     * Страница посетителей
     */
    200: VisitorPage;
};

export type ListVisitorsResponse = ListVisitorsResponses[keyof ListVisitorsResponses];

export type DeleteVisitorData = {
    body?: never;
    path: {
        id: string;
        visitor_id: string;
    };
    query?: never;
    url: '/sites/{id}/visitors/{visitor_id}';
};

export type DeleteVisitorErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteVisitorError = DeleteVisitorErrors[keyof DeleteVisitorErrors];

export type DeleteVisitorResponses = {
    /**
     * Удаление принято
     */
    202: VisitorDeletion;
};

export type DeleteVisitorResponse = DeleteVisitorResponses[keyof DeleteVisitorResponses];

export type GetVisitorData = {
    body?: never;
    path: {
        id: string;
        visitor_id: string;
    };
    query?: never;
    url: '/sites/{id}/visitors/{visitor_id}';
};

export type GetVisitorErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetVisitorError = GetVisitorErrors[keyof GetVisitorErrors];

export type GetVisitorResponses = {
    /**
     * Посетитель
     */
    200: VisitorDetail;
};

export type GetVisitorResponse = GetVisitorResponses[keyof GetVisitorResponses];

export type DeleteSiteUserData = {
    body?: never;
    path: {
        id: string;
        /**
         * Id пользователя на сайте, в адресе — с процентным кодированием
         */
        user_id: string;
    };
    query?: never;
    url: '/sites/{id}/users/{user_id}';
};

export type DeleteSiteUserErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteSiteUserError = DeleteSiteUserErrors[keyof DeleteSiteUserErrors];

export type DeleteSiteUserResponses = {
    /**
     * Удаление принято
     */
    202: SiteUserDeletion;
};

export type DeleteSiteUserResponse = DeleteSiteUserResponses[keyof DeleteSiteUserResponses];

export type ListSegmentsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/segments';
};

export type ListSegmentsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListSegmentsError = ListSegmentsErrors[keyof ListSegmentsErrors];

export type ListSegmentsResponses = {
    /**
     * Сегменты, старые первыми
     */
    200: SavedSegmentPage;
};

export type ListSegmentsResponse = ListSegmentsResponses[keyof ListSegmentsResponses];

export type CreateSegmentData = {
    body: SavedSegmentCreate;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/segments';
};

export type CreateSegmentErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateSegmentError = CreateSegmentErrors[keyof CreateSegmentErrors];

export type CreateSegmentResponses = {
    /**
     * Сегмент сохранён
     */
    201: SavedSegment;
};

export type CreateSegmentResponse = CreateSegmentResponses[keyof CreateSegmentResponses];

export type DeleteSegmentData = {
    body?: never;
    path: {
        id: string;
        sid: string;
    };
    query?: never;
    url: '/sites/{id}/segments/{sid}';
};

export type DeleteSegmentErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteSegmentError = DeleteSegmentErrors[keyof DeleteSegmentErrors];

export type DeleteSegmentResponses = {
    /**
     * Сегмент удалён
     */
    200: SavedSegmentDeleted;
};

export type DeleteSegmentResponse = DeleteSegmentResponses[keyof DeleteSegmentResponses];

export type PatchSegmentData = {
    body: SavedSegmentPatch;
    path: {
        id: string;
        sid: string;
    };
    query?: never;
    url: '/sites/{id}/segments/{sid}';
};

export type PatchSegmentErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchSegmentError = PatchSegmentErrors[keyof PatchSegmentErrors];

export type PatchSegmentResponses = {
    /**
     * Сегмент изменён
     */
    200: SavedSegment;
};

export type PatchSegmentResponse = PatchSegmentResponses[keyof PatchSegmentResponses];

export type ListSavedReportsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/saved-reports';
};

export type ListSavedReportsErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type ListSavedReportsError = ListSavedReportsErrors[keyof ListSavedReportsErrors];

export type ListSavedReportsResponses = {
    /**
     * Отчёты, старые первыми
     */
    200: SavedReportPage;
};

export type ListSavedReportsResponse = ListSavedReportsResponses[keyof ListSavedReportsResponses];

export type CreateSavedReportData = {
    body: SavedReportCreate;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/saved-reports';
};

export type CreateSavedReportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type CreateSavedReportError = CreateSavedReportErrors[keyof CreateSavedReportErrors];

export type CreateSavedReportResponses = {
    /**
     * Отчёт сохранён
     */
    201: SavedReport;
};

export type CreateSavedReportResponse = CreateSavedReportResponses[keyof CreateSavedReportResponses];

export type DeleteSavedReportData = {
    body?: never;
    path: {
        id: string;
        report: string;
    };
    query?: never;
    url: '/sites/{id}/saved-reports/{report}';
};

export type DeleteSavedReportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type DeleteSavedReportError = DeleteSavedReportErrors[keyof DeleteSavedReportErrors];

export type DeleteSavedReportResponses = {
    /**
     * Отчёт удалён
     */
    200: SavedReportDeleted;
};

export type DeleteSavedReportResponse = DeleteSavedReportResponses[keyof DeleteSavedReportResponses];

export type GetSavedReportData = {
    body?: never;
    path: {
        id: string;
        report: string;
    };
    query?: never;
    url: '/sites/{id}/saved-reports/{report}';
};

export type GetSavedReportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetSavedReportError = GetSavedReportErrors[keyof GetSavedReportErrors];

export type GetSavedReportResponses = {
    /**
     * Отчёт
     */
    200: SavedReport;
};

export type GetSavedReportResponse = GetSavedReportResponses[keyof GetSavedReportResponses];

export type PatchSavedReportData = {
    body: SavedReportPatch;
    path: {
        id: string;
        report: string;
    };
    query?: never;
    url: '/sites/{id}/saved-reports/{report}';
};

export type PatchSavedReportErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type PatchSavedReportError = PatchSavedReportErrors[keyof PatchSavedReportErrors];

export type PatchSavedReportResponses = {
    /**
     * Отчёт изменён
     */
    200: SavedReport;
};

export type PatchSavedReportResponse = PatchSavedReportResponses[keyof PatchSavedReportResponses];

export type GetRealtimeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/sites/{id}/realtime';
};

export type GetRealtimeErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type GetRealtimeError = GetRealtimeErrors[keyof GetRealtimeErrors];

export type GetRealtimeResponses = {
    /**
     * Сейчас и за последние полчаса
     */
    200: Realtime;
};

export type GetRealtimeResponse = GetRealtimeResponses[keyof GetRealtimeResponses];

export type LoginData = {
    body: Login;
    path?: never;
    query?: never;
    url: '/login';
};

export type LoginErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type LoginError = LoginErrors[keyof LoginErrors];

export type LoginResponses = {
    /**
     * Вошёл
     */
    200: Me;
};

export type LoginResponse = LoginResponses[keyof LoginResponses];

export type SignInData = {
    body: SignIn;
    path?: never;
    query?: never;
    url: '/sign-in';
};

export type SignInErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Нет ключа, ключ неверен или отозван
     */
    401: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type SignInError = SignInErrors[keyof SignInErrors];

export type SignInResponses = {
    /**
     * Вошёл
     */
    200: Me;
};

export type SignInResponse = SignInResponses[keyof SignInResponses];

export type AcceptInvitationData = {
    body: InvitationAccept;
    path?: never;
    query?: never;
    url: '/invitations/accept';
};

export type AcceptInvitationErrors = {
    /**
     * Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса
     */
    400: ErrorBody;
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Не найдено
     */
    404: ErrorBody;
    /**
     * Тело запроса перестало поступать; запрос можно повторить
     */
    408: ErrorBody;
    /**
     * Тело больше 5 МБ или пакет больше допустимого
     */
    413: ErrorBody;
    /**
     * Поля не прошли проверку
     */
    422: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
    /**
     * Сервис временно недоступен
     */
    503: ErrorBody;
};

export type AcceptInvitationError = AcceptInvitationErrors[keyof AcceptInvitationErrors];

export type AcceptInvitationResponses = {
    /**
     * Принято
     */
    200: InvitationAccepted;
};

export type AcceptInvitationResponse = AcceptInvitationResponses[keyof AcceptInvitationResponses];

export type GetDescriptionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/openapi.json';
};

export type GetDescriptionErrors = {
    /**
     * Доступ приостановлен, проект в архиве или запрос не по https
     */
    403: ErrorBody;
    /**
     * Превышена частота запросов
     */
    429: ErrorBody;
    /**
     * Внутренняя ошибка
     */
    500: ErrorBody;
};

export type GetDescriptionError = GetDescriptionErrors[keyof GetDescriptionErrors];

export type GetDescriptionResponses = {
    /**
     * Документ OpenAPI
     */
    200: {
        [key: string]: unknown;
    };
};

export type GetDescriptionResponse = GetDescriptionResponses[keyof GetDescriptionResponses];
