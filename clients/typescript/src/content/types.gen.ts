// Generated from the OpenAPI description by `npm run client:generate`. Do not edit.

export type ClientOptions = {
    baseUrl: `${string}://${string}/content/api/v1` | (string & {});
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

export type MediaOut = {
    position: number;
    kind: 'video' | 'audio' | 'image';
    url: string;
    duration_sec: number | null;
    width: number | null;
    height: number | null;
    status: 'new' | 'ready' | 'failed';
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

export type ItemDetail = {
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
    media: Array<MediaOut>;
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

export type BatchOperation = {
    op: 'put' | 'patch' | 'delete' | 'reprocess';
    /**
     * Любые символы Unicode
     */
    id: string;
    /**
     * Тело put или patch; для reprocess — {steps}, без него или без steps пересчитывается всё; для delete не нужно и не читается
     */
    data?: ItemPutRequest | ItemPatchRequest | ReprocessRequest | null;
};

export type BatchRequest = {
    operations: Array<BatchOperation>;
};

export type BatchError = {
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
};

export type BatchResult = {
    id: string | null;
    ok: boolean;
    status: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred' | null;
    error: BatchError | null;
};

export type BatchResponse = {
    results: Array<BatchResult>;
};

export type ItemListEntry = {
    id: string;
    status: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred';
    available: boolean;
    deleted: boolean;
    updated_at: string;
};

export type ItemListResponse = {
    items: Array<ItemListEntry>;
    /**
     * null — дальше страниц нет
     */
    next_cursor: string | null;
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

/**
 * Нужен хотя бы один идентификатор: иначе событие отклоняется с кодом no_user, а неверно записанное — с invalid_user
 */
export type EventUser = {
    /**
     * Учётная запись на стороне клиента, от 1 до 191 символа
     */
    user_id?: string | null;
    /**
     * Браузер или устройство, от 1 до 191 печатного символа ASCII
     */
    anonymous_id?: string | null;
    /**
     * UUID службы отпечатков устройств; учитывается, если она подключена
     */
    fingerprint_uuid?: string | null;
};

/**
 * Неверное значение поля — причина отклонить это событие (invalid_value), а не весь запрос
 */
export type EventIn = {
    /**
     * Уникален в проекте, от 1 до 64 печатных символов ASCII; повтор — дубликат
     */
    id: string;
    /**
     * Код типа события проекта
     */
    type: string;
    /**
     * Идентификатор объекта, от 1 до 191 символа
     */
    item: string;
    user: EventUser;
    /**
     * percent: 0–100; watch_seconds: секунды от 0; number: любое; состояния: 1 или 0, по умолчанию 1; иначе не учитывается
     */
    value?: number | null;
    /**
     * ISO-8601 с часовым поясом. По умолчанию — время приёма; оно же вместо времени в будущем дальше 5 минут. Старше 730 дней — too_old
     */
    occurred_at?: string | null;
    /**
     * Выдача, из которой пришёл пользователь; до 1000 символов
     */
    recommendation_id?: string | null;
    /**
     * Место показа, например feed или next; до 16 символов
     */
    surface?: string | null;
    /**
     * Позиция в выдаче с нуля, до 65535
     */
    position?: number | null;
    /**
     * От 1 до 64 печатных символов ASCII; строки одного заказа образуют пары «вместе»
     */
    order_id?: string | null;
    /**
     * От 0
     */
    quantity?: number | null;
    /**
     * От 0
     */
    price?: number | null;
};

export type EventsRequest = {
    events: Array<EventIn>;
};

export type EventRejection = {
    /**
     * Место события в запросе, с нуля
     */
    index: number;
    id: string | null;
    code: 'unknown_type' | 'inactive_type' | 'unknown_item' | 'no_user' | 'invalid_user' | 'invalid_value' | 'too_old' | 'order_managed';
};

/**
 * accepted + duplicates + число rejected = число событий запроса
 */
export type EventsResponse = {
    accepted: number;
    /**
     * Повторы id и события внутри окна дедупликации: они ничего не меняют
     */
    duplicates: number;
    rejected: Array<EventRejection>;
};

export type EndUserIds = ({
    user_id: string;
} | {
    anonymous_id: string;
} | {
    fingerprint_uuid: string;
}) & {
    /**
     * Учётная запись на стороне клиента
     */
    user_id?: string | null;
    /**
     * Браузер или устройство; печатные символы ASCII
     */
    anonymous_id?: string | null;
    /**
     * UUID службы отпечатков устройств; учитывается, если она подключена
     */
    fingerprint_uuid?: string | null;
};

export type OrderLineIn = {
    /**
     * Идентификатор объекта
     */
    item: string;
    /**
     * Меньше нуля — строка отклоняется
     */
    quantity?: number | null;
    /**
     * Цена одной единицы; меньше нуля — строка отклоняется
     */
    price?: number | null;
    /**
     * Для товара вне каталога создаётся недоступный объект
     */
    title?: string | null;
    /**
     * Любые данные, до 16 КБ
     */
    properties?: {
        [key: string]: unknown;
    } | null;
};

export type OrderIn = ({
    status: 'cancelled';
} | {
    items: Array<unknown>;
}) & {
    /**
     * Печатные символы ASCII; повтор заменяет состав
     */
    order_id: string;
    user: EndUserIds;
    /**
     * По умолчанию время приёма, при повторе прежнее время заказа; не старше 730 дней
     */
    occurred_at?: string | null;
    status?: 'created' | 'cancelled' | null;
    /**
     * Можно не передавать, если заказ отменён
     */
    items?: Array<OrderLineIn> | null;
};

export type OrderLineRejection = {
    /**
     * Номер строки в items, с нуля
     */
    index: number;
    item: string | null;
    code: 'unknown_item' | 'invalid_value';
};

export type OrderResponse = {
    order_id: string;
    /**
     * Принято строк
     */
    accepted: number;
    rejected: Array<OrderLineRejection>;
};

export type OrdersBatchRequest = {
    /**
     * До 500 заказов, вместе до 5000 строк
     */
    orders: Array<OrderIn>;
};

export type OrdersBatchResult = {
    /**
     * Номер заказа в orders, с нуля
     */
    index: number;
    order_id: string | null;
    ok: boolean;
    /**
     * Принято строк
     */
    accepted: number | null;
    rejected: Array<OrderLineRejection> | null;
    error: BatchError | null;
};

export type OrdersBatchResponse = {
    results: Array<OrdersBatchResult>;
};

export type UserLinkRequest = {
    /**
     * Учётная запись на стороне клиента
     */
    user_id: string;
    /**
     * Браузер или устройство; печатные символы ASCII
     */
    anonymous_id?: string | null;
    /**
     * UUID службы отпечатков устройств; учитывается, если она подключена
     */
    fingerprint_uuid?: string | null;
};

export type UserLinkResponse = {
    /**
     * Устройство теперь принадлежит этой учётной записи; false — оно уже связано с другой либо не названо
     */
    merged: boolean;
    /**
     * Сколько сохранённых событий перешло к учётной записи этим запросом
     */
    events_moved: number;
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

export type ProfileRequest = {
    user: EndUserIds;
    gender?: 'male' | 'female' | null;
    /**
     * От 1900 до текущего года
     */
    birth_year?: number | null;
    /**
     * Вместо birth_year: пересчитывается в год рождения
     */
    age?: number | null;
    /**
     * На любом языке
     */
    interests?: Array<string> | null;
    /**
     * Что не интересует
     */
    excluded_interests?: Array<string> | null;
    /**
     * Идентификаторы авторов
     */
    followed_authors?: Array<string> | null;
    /**
     * Идентификаторы авторов, которых не показывать
     */
    hidden_authors?: Array<string> | null;
    /**
     * Хранится строчными буквами без лишних пробелов
     */
    city?: string | null;
    country?: string | null;
    /**
     * false — не персонализировать; null возвращает значение по умолчанию, true
     */
    personalization?: boolean | null;
    /**
     * Любые данные, кроме персональных, до 16 КБ
     */
    attributes?: {
        [key: string]: unknown;
    } | null;
};

export type ProfileResponse = {
    identity: 'user' | 'anonymous';
    /**
     * Поля, значение которых изменилось
     */
    updated_fields: Array<'gender' | 'birth_year' | 'interests' | 'excluded_interests' | 'followed_authors' | 'hidden_authors' | 'city' | 'country' | 'personalization' | 'attributes'>;
};

export type ProfileBatchRequest = {
    /**
     * До 500 профилей
     */
    profiles: Array<ProfileRequest>;
};

export type ProfileBatchResult = {
    index: number;
    ok: boolean;
    error: BatchError | null;
};

export type ProfileBatchResponse = {
    results: Array<ProfileBatchResult>;
};

export type UserDeleteRequest = {
    user: EndUserIds;
};

export type UserDeleteResponse = {
    /**
     * false — пользователь неизвестен
     */
    deleted: boolean;
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

export type FeedRequest = {
    user?: {
        /**
         * Учётная запись на стороне клиента
         */
        user_id?: string | null;
        /**
         * Браузер или устройство; печатные символы ASCII
         */
        anonymous_id?: string | null;
        /**
         * UUID службы отпечатков устройств; учитывается, если она подключена
         */
        fingerprint_uuid?: string | null;
    } | null;
    /**
     * Место показа, как в событиях
     */
    surface?: string | null;
    limit?: number;
    /**
     * next_cursor предыдущей страницы; остальное тело — то же, что и у неё
     */
    cursor?: string | null;
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
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
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

export type NextRequest = unknown & {
    item?: string;
    /**
     * Сессия, старые раньше
     */
    items?: Array<string>;
    user?: {
        /**
         * Учётная запись на стороне клиента
         */
        user_id?: string | null;
        /**
         * Браузер или устройство; печатные символы ASCII
         */
        anonymous_id?: string | null;
        /**
         * UUID службы отпечатков устройств; учитывается, если она подключена
         */
        fingerprint_uuid?: string | null;
    } | null;
    /**
     * Место показа, как в событиях
     */
    surface?: string | null;
    limit?: number;
    /**
     * next_cursor предыдущей страницы; остальное тело — то же, что и у неё
     */
    cursor?: string | null;
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
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
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

export type TogetherRequest = {
    /**
     * Корзина
     */
    items: Array<string>;
    user?: {
        /**
         * Учётная запись на стороне клиента
         */
        user_id?: string | null;
        /**
         * Браузер или устройство; печатные символы ASCII
         */
        anonymous_id?: string | null;
        /**
         * UUID службы отпечатков устройств; учитывается, если она подключена
         */
        fingerprint_uuid?: string | null;
    } | null;
    /**
     * Место показа, как в событиях
     */
    surface?: string | null;
    limit?: number;
    /**
     * next_cursor предыдущей страницы; остальное тело — то же, что и у неё
     */
    cursor?: string | null;
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
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
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
};

export type PopularRequest = {
    /**
     * За сколько последних дней
     */
    period?: '1d' | '7d' | '30d' | '365d';
    /**
     * total — больше всего за период; trending — растёт быстрее, чем росло
     */
    kind?: 'total' | 'trending';
    /**
     * Город или страна из профилей: название на любом языке кабинета или код
     */
    region?: string | null;
    user?: {
        /**
         * Учётная запись на стороне клиента
         */
        user_id?: string | null;
        /**
         * Браузер или устройство; печатные символы ASCII
         */
        anonymous_id?: string | null;
        /**
         * UUID службы отпечатков устройств; учитывается, если она подключена
         */
        fingerprint_uuid?: string | null;
    } | null;
    /**
     * Место показа, как в событиях
     */
    surface?: string | null;
    limit?: number;
    /**
     * next_cursor предыдущей страницы; остальное тело — то же, что и у неё
     */
    cursor?: string | null;
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
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
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

export type SimilarRequest = {
    item: string;
    user?: {
        /**
         * Учётная запись на стороне клиента
         */
        user_id?: string | null;
        /**
         * Браузер или устройство; печатные символы ASCII
         */
        anonymous_id?: string | null;
        /**
         * UUID службы отпечатков устройств; учитывается, если она подключена
         */
        fingerprint_uuid?: string | null;
    } | null;
    /**
     * Место показа, как в событиях
     */
    surface?: string | null;
    limit?: number;
    /**
     * next_cursor предыдущей страницы; остальное тело — то же, что и у неё
     */
    cursor?: string | null;
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
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
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
};

export type SearchSort = {
    /**
     * relevance, published_at, popular или имя фильтруемого свойства — числа или даты
     */
    by: string;
    dir?: 'asc' | 'desc';
};

export type SearchRequest = {
    /**
     * Слова; "фраза в кавычках"; -слово, которого быть не должно. Пустой запрос показывает всё, что разрешают фильтры
     */
    query: string;
    user?: {
        /**
         * Учётная запись на стороне клиента
         */
        user_id?: string | null;
        /**
         * Браузер или устройство; печатные символы ASCII
         */
        anonymous_id?: string | null;
        /**
         * UUID службы отпечатков устройств; учитывается, если она подключена
         */
        fingerprint_uuid?: string | null;
    } | null;
    /**
     * Место показа, как в событиях
     */
    surface?: string | null;
    limit?: number;
    /**
     * next_cursor предыдущей страницы; остальное тело — то же, что и у неё
     */
    cursor?: string | null;
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
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
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
     * Вес смысла против слов: 0 — только слова, 1 — только смысл
     */
    semantic?: number | 'auto';
    /**
     * Исправлять раскладку, транслитерацию и опечатки в словах, которых нет нигде
     */
    typos?: boolean;
    /**
     * Последнее слово может быть не дописано
     */
    prefix?: boolean;
    /**
     * Насколько вкус пользователя переставляет первые 100 результатов; число результатов не меняется
     */
    personal?: number;
    /**
     * types, authors, tags, topics или имена фильтруемых свойств
     */
    facets?: Array<string>;
    sort?: SearchSort;
    /**
     * Показать, где в текстах слова запроса
     */
    highlight?: boolean;
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

export type SuggestRequest = {
    user?: {
        /**
         * Учётная запись на стороне клиента
         */
        user_id?: string | null;
        /**
         * Браузер или устройство; печатные символы ASCII
         */
        anonymous_id?: string | null;
        /**
         * UUID службы отпечатков устройств; учитывается, если она подключена
         */
        fingerprint_uuid?: string | null;
    } | null;
    /**
     * Место показа, как в событиях
     */
    surface?: string | null;
    limit?: number;
    /**
     * next_cursor предыдущей страницы; остальное тело — то же, что и у неё
     */
    cursor?: string | null;
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
     * Умножают оценку подошедших объектов и никогда не убирают остальные
     */
    boosts?: Array<OutputBoost>;
    /**
     * Ставятся на эти места, если правила их не запрещают
     */
    pins?: Array<OutputPin>;
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
     * Набранное начало запроса
     */
    query: string;
    /**
     * Исправлять раскладку, транслитерацию и опечатки в словах, которых нет нигде
     */
    typos?: boolean;
    /**
     * Последнее слово может быть не дописано
     */
    prefix?: boolean;
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

export type HealthResponse = {
    status: 'ok' | 'degraded';
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

export type DeleteItemData = {
    body?: never;
    path: {
        /**
         * Идентификатор объекта у клиента; другие идентификаторы передаются в пакете
         */
        id: string;
    };
    query?: never;
    url: '/items/{id}';
};

export type DeleteItemErrors = {
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

export type DeleteItemError = DeleteItemErrors[keyof DeleteItemErrors];

export type DeleteItemResponses = {
    /**
     * Объект удалён
     */
    200: ItemDeleteResponse;
};

export type DeleteItemResponse = DeleteItemResponses[keyof DeleteItemResponses];

export type GetItemData = {
    body?: never;
    path: {
        /**
         * Идентификатор объекта у клиента; другие идентификаторы передаются в пакете
         */
        id: string;
    };
    query?: {
        /**
         * Что приложить, через запятую
         */
        include?: Array<'transcript' | 'frames' | 'search_chunks'>;
    };
    url: '/items/{id}';
};

export type GetItemErrors = {
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

export type GetItemError = GetItemErrors[keyof GetItemErrors];

export type GetItemResponses = {
    /**
     * Объект
     */
    200: ItemDetail;
};

export type GetItemResponse = GetItemResponses[keyof GetItemResponses];

export type PatchItemData = {
    body: ItemPatchRequest;
    path: {
        /**
         * Идентификатор объекта у клиента; другие идентификаторы передаются в пакете
         */
        id: string;
    };
    query?: never;
    url: '/items/{id}';
};

export type PatchItemErrors = {
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

export type PatchItemError = PatchItemErrors[keyof PatchItemErrors];

export type PatchItemResponses = {
    /**
     * Объект изменён
     */
    200: ItemWriteResponse;
};

export type PatchItemResponse = PatchItemResponses[keyof PatchItemResponses];

export type PutItemData = {
    body: ItemPutRequest;
    path: {
        /**
         * Идентификатор объекта у клиента; другие идентификаторы передаются в пакете
         */
        id: string;
    };
    query?: never;
    url: '/items/{id}';
};

export type PutItemErrors = {
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

export type PutItemError = PutItemErrors[keyof PutItemErrors];

export type PutItemResponses = {
    /**
     * Объект обновлён
     */
    200: ItemWriteResponse;
    /**
     * Объект создан
     */
    201: ItemWriteResponse;
};

export type PutItemResponse = PutItemResponses[keyof PutItemResponses];

export type ReprocessItemData = {
    body?: ReprocessRequest;
    path: {
        /**
         * Идентификатор объекта у клиента; другие идентификаторы передаются в пакете
         */
        id: string;
    };
    query?: never;
    url: '/items/{id}/reprocess';
};

export type ReprocessItemErrors = {
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

export type ReprocessItemError = ReprocessItemErrors[keyof ReprocessItemErrors];

export type ReprocessItemResponses = {
    /**
     * Анализ поставлен в очередь
     */
    202: ItemWriteResponse;
};

export type ReprocessItemResponse = ReprocessItemResponses[keyof ReprocessItemResponses];

export type BatchItemsData = {
    body: BatchRequest;
    path?: never;
    query?: never;
    url: '/items/batch';
};

export type BatchItemsErrors = {
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

export type BatchItemsError = BatchItemsErrors[keyof BatchItemsErrors];

export type BatchItemsResponses = {
    /**
     * Результаты в порядке операций
     */
    200: BatchResponse;
};

export type BatchItemsResponse = BatchItemsResponses[keyof BatchItemsResponses];

export type ListItemsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * До 100 идентификаторов из любых символов через запятую, каждый — с процентным кодированием (запятая внутри — %2C); вместе с cursor не принимается, limit не действует. Адрес целиком — до 16 КБ
         */
        ids?: Array<string>;
        status?: 'queued' | 'processing' | 'ready' | 'partial' | 'failed' | 'deferred';
        available?: boolean;
        /**
         * Изменённые в этот момент или позже
         */
        updated_since?: string;
        /**
         * next_cursor предыдущей страницы
         */
        cursor?: string;
        limit?: number;
    };
    url: '/items';
};

export type ListItemsErrors = {
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

export type ListItemsError = ListItemsErrors[keyof ListItemsErrors];

export type ListItemsResponses = {
    /**
     * Страница объектов
     */
    200: ItemListResponse;
};

export type ListItemsResponse = ListItemsResponses[keyof ListItemsResponses];

export type ListEventTypesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/event-types';
};

export type ListEventTypesErrors = {
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

export type ListEventTypesError = ListEventTypesErrors[keyof ListEventTypesErrors];

export type ListEventTypesResponses = {
    /**
     * Типы событий по коду
     */
    200: Array<EventTypeOut>;
};

export type ListEventTypesResponse = ListEventTypesResponses[keyof ListEventTypesResponses];

export type PostEventsData = {
    body: EventsRequest;
    path?: never;
    query?: never;
    url: '/events';
};

export type PostEventsErrors = {
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

export type PostEventsError = PostEventsErrors[keyof PostEventsErrors];

export type PostEventsResponses = {
    /**
     * События приняты
     */
    202: EventsResponse;
};

export type PostEventsResponse = PostEventsResponses[keyof PostEventsResponses];

export type PostOrderData = {
    body: OrderIn;
    path?: never;
    query?: never;
    url: '/orders';
};

export type PostOrderErrors = {
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

export type PostOrderError = PostOrderErrors[keyof PostOrderErrors];

export type PostOrderResponses = {
    /**
     * Заказ принят
     */
    202: OrderResponse;
};

export type PostOrderResponse = PostOrderResponses[keyof PostOrderResponses];

export type PostOrdersData = {
    body: OrdersBatchRequest;
    path?: never;
    query?: never;
    url: '/orders/batch';
};

export type PostOrdersErrors = {
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

export type PostOrdersError = PostOrdersErrors[keyof PostOrdersErrors];

export type PostOrdersResponses = {
    /**
     * Результаты в порядке заказов
     */
    202: OrdersBatchResponse;
};

export type PostOrdersResponse = PostOrdersResponses[keyof PostOrdersResponses];

export type LinkUserData = {
    body: UserLinkRequest;
    path?: never;
    query?: never;
    url: '/users/link';
};

export type LinkUserErrors = {
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

export type LinkUserError = LinkUserErrors[keyof LinkUserErrors];

export type LinkUserResponses = {
    /**
     * Результат
     */
    200: UserLinkResponse;
};

export type LinkUserResponse = LinkUserResponses[keyof LinkUserResponses];

export type GetProfileData = {
    body?: never;
    path?: never;
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
    };
    url: '/users/profile';
};

export type GetProfileErrors = {
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

export type GetProfileError = GetProfileErrors[keyof GetProfileErrors];

export type GetProfileResponses = {
    /**
     * Профиль
     */
    200: StoredProfile;
};

export type GetProfileResponse = GetProfileResponses[keyof GetProfileResponses];

export type WriteProfileData = {
    body: ProfileRequest;
    path?: never;
    query?: never;
    url: '/users/profile';
};

export type WriteProfileErrors = {
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

export type WriteProfileError = WriteProfileErrors[keyof WriteProfileErrors];

export type WriteProfileResponses = {
    /**
     * Профиль записан
     */
    200: ProfileResponse;
};

export type WriteProfileResponse = WriteProfileResponses[keyof WriteProfileResponses];

export type WriteProfilesData = {
    body: ProfileBatchRequest;
    path?: never;
    query?: never;
    url: '/users/profile/batch';
};

export type WriteProfilesErrors = {
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

export type WriteProfilesError = WriteProfilesErrors[keyof WriteProfilesErrors];

export type WriteProfilesResponses = {
    /**
     * Результаты по порядку запроса
     */
    200: ProfileBatchResponse;
};

export type WriteProfilesResponse = WriteProfilesResponses[keyof WriteProfilesResponses];

export type DeleteUserData = {
    body: UserDeleteRequest;
    path?: never;
    query?: never;
    url: '/users/delete';
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

export type DeleteUserError = DeleteUserErrors[keyof DeleteUserErrors];

export type DeleteUserResponses = {
    /**
     * Результат
     */
    200: UserDeleteResponse;
};

export type DeleteUserResponse = DeleteUserResponses[keyof DeleteUserResponses];

export type RecommendFeedData = {
    body: FeedRequest;
    path?: never;
    query?: never;
    url: '/recommendations/feed';
};

export type RecommendFeedErrors = {
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

export type RecommendFeedError = RecommendFeedErrors[keyof RecommendFeedErrors];

export type RecommendFeedResponses = {
    /**
     * Выдача
     */
    200: OutputResponse;
};

export type RecommendFeedResponse = RecommendFeedResponses[keyof RecommendFeedResponses];

export type RecommendNextData = {
    body: NextRequest;
    path?: never;
    query?: never;
    url: '/recommendations/next';
};

export type RecommendNextErrors = {
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

export type RecommendNextError = RecommendNextErrors[keyof RecommendNextErrors];

export type RecommendNextResponses = {
    /**
     * Выдача
     */
    200: OutputResponse;
};

export type RecommendNextResponse = RecommendNextResponses[keyof RecommendNextResponses];

export type RecommendTogetherData = {
    body: TogetherRequest;
    path?: never;
    query?: never;
    url: '/recommendations/together';
};

export type RecommendTogetherErrors = {
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

export type RecommendTogetherError = RecommendTogetherErrors[keyof RecommendTogetherErrors];

export type RecommendTogetherResponses = {
    /**
     * Выдача
     */
    200: OutputResponse;
};

export type RecommendTogetherResponse = RecommendTogetherResponses[keyof RecommendTogetherResponses];

export type RecommendPopularData = {
    body: PopularRequest;
    path?: never;
    query?: never;
    url: '/recommendations/popular';
};

export type RecommendPopularErrors = {
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

export type RecommendPopularError = RecommendPopularErrors[keyof RecommendPopularErrors];

export type RecommendPopularResponses = {
    /**
     * Выдача
     */
    200: OutputResponse;
};

export type RecommendPopularResponse = RecommendPopularResponses[keyof RecommendPopularResponses];

export type RecommendSimilarData = {
    body: SimilarRequest;
    path?: never;
    query?: never;
    url: '/recommendations/similar';
};

export type RecommendSimilarErrors = {
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

export type RecommendSimilarError = RecommendSimilarErrors[keyof RecommendSimilarErrors];

export type RecommendSimilarResponses = {
    /**
     * Выдача
     */
    200: OutputResponse;
};

export type RecommendSimilarResponse = RecommendSimilarResponses[keyof RecommendSimilarResponses];

export type SearchData = {
    body: SearchRequest;
    path?: never;
    query?: never;
    url: '/search';
};

export type SearchErrors = {
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

export type SearchError = SearchErrors[keyof SearchErrors];

export type SearchResponses = {
    /**
     * Найденное
     */
    200: SearchResponse;
};

export type SearchResponse2 = SearchResponses[keyof SearchResponses];

export type SearchSuggestData = {
    body: SuggestRequest;
    path?: never;
    query?: never;
    url: '/search/suggest';
};

export type SearchSuggestErrors = {
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

export type SearchSuggestError = SearchSuggestErrors[keyof SearchSuggestErrors];

export type SearchSuggestResponses = {
    /**
     * Подсказки
     */
    200: SuggestResponse;
};

export type SearchSuggestResponse = SearchSuggestResponses[keyof SearchSuggestResponses];

export type GetHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health';
};

export type GetHealthErrors = {
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

export type GetHealthError = GetHealthErrors[keyof GetHealthErrors];

export type GetHealthResponses = {
    /**
     * Состояние
     */
    200: HealthResponse;
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

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
