/** The texts of the error bodies, one table per language. */
import type { DetailCode, ErrorCode, FieldFault, HttpError } from './errors.ts';

export interface ErrorTexts {
  errors: Record<ErrorCode, string>;
  /** Null when the API's details have no message. */
  details: Record<DetailCode, (fault: FieldFault) => string> | null;
  /**
   * Texts of the description: when each error status is returned, what the common headers mean, and whose faults the
   * examples show.
   */
  described: {
    errors: Record<number, string>;
    headers: { requestId: string; retryAfter: string };
    faults: { parameter: FieldFault; field: FieldFault };
  };
}

/** For the content API. */
export const RUSSIAN: ErrorTexts = {
  errors: {
    invalid_request: 'Некорректный запрос: тело не JSON либо неверны параметры пути или строки запроса',
    unauthorized: 'Ключ не передан, неверен или отозван',
    forbidden: 'Доступ приостановлен или запрещён',
    not_found: 'Не найдено',
    request_timeout: 'Тело запроса не пришло вовремя, повторите запрос',
    payload_too_large: 'Тело запроса или пакет больше допустимого',
    validation_failed: 'Поля запроса не прошли проверку',
    rate_limited: 'Превышена частота запросов',
    internal: 'Внутренняя ошибка',
    unavailable: 'Сервис временно недоступен, повторите запрос позже',
  },
  details: {
    required: () => 'Обязательное поле не передано',
    invalid_type: () => 'Неверный тип значения',
    invalid_value: ({ allowed }) =>
      allowed ? `Недопустимое значение; возможны: ${allowed.join(', ')}` : 'Недопустимое значение',
    too_long: ({ limit }) =>
      limit === undefined ? 'Слишком длинное значение' : `Слишком длинное значение: предел ${limit}`,
    unknown_field: () => 'Неизвестное поле',
    invalid_url: () => 'Нужен корректный адрес https',
    invalid_datetime: () => 'Нужно время ISO-8601 с часовым поясом: Z или смещение',
    pii_not_allowed: () => 'Персональные данные здесь не принимаются',
    no_purchase_type: () => 'В проекте нет типа события с признаком покупки',
    unknown_filter: () => 'Свойство не объявлено фильтруемым, либо условие не подходит к его типу',
    too_old: () => 'Дата старше 730 дней',
    forbidden_address: () => 'Адрес ведёт во внутреннюю сеть или записан недопустимо',
    too_many: ({ limit }) =>
      limit === undefined ? 'Слишком много элементов' : `Слишком много элементов: предел ${limit}`,
    unknown_dimension: () => 'Такой группировки нет',
    unknown_metric: () => 'Такого показателя нет',
    unknown_segment: () => 'Такого сегмента у сайта нет',
    incompatible: () => 'Показатель нельзя посчитать с группировками запроса',
    bad_date: () => 'Неверная дата или период: начало позже конца, больше 25 месяцев либо дата в будущем',
    bad_filter: () => 'Неверное условие: операция, число значений или регулярное выражение',
  },
  described: {
    errors: {
      400: 'Не JSON, другой тип содержимого либо неверны параметры пути или строки запроса',
      401: 'Нет ключа, ключ неверен или отозван',
      403: 'Доступ приостановлен, проект в архиве или запрос не по https',
      404: 'Не найдено',
      408: 'Тело запроса перестало поступать; запрос можно повторить',
      413: 'Тело больше 5 МБ или пакет больше допустимого',
      422: 'Поля не прошли проверку',
      429: 'Превышена частота запросов',
      500: 'Внутренняя ошибка',
      503: 'Сервис временно недоступен',
    },
    headers: {
      requestId: 'Идентификатор запроса: свой или переданный клиентом',
      retryAfter: 'Через сколько секунд повторить',
    },
    faults: {
      parameter: { field: 'include', code: 'invalid_value' },
      field: { field: 'media[0].url', code: 'invalid_url' },
    },
  },
};

/** For the cabinet, where people log in. */
export const RUSSIAN_CABINET: ErrorTexts = {
  ...RUSSIAN,
  errors: {
    ...RUSSIAN.errors,
    unauthorized: 'Вход не выполнен: токен, сессия или пароль не переданы, неверны или больше не действуют',
  },
};

/** For the analytics API and the tag's intake: details have no messages. */
export const ENGLISH: ErrorTexts = {
  errors: {
    invalid_request:
      'The request cannot be parsed: the body is not JSON, or a parameter of the path or the query is wrong',
    unauthorized: 'The key is missing, wrong or revoked',
    forbidden: 'Access is blocked or not allowed',
    not_found: 'Not found',
    request_timeout: 'The body did not arrive in time, send the request again',
    payload_too_large: 'The body is larger than allowed',
    validation_failed: 'Fields of the request failed validation',
    rate_limited: 'Too many requests',
    internal: 'Internal error',
    unavailable: 'The service is temporarily unavailable, try again later',
  },
  details: null,
  described: {
    errors: {
      400: 'The body is not JSON, its content type is not supported, or a parameter is wrong',
      401: 'No key, a wrong key or a revoked key',
      403: 'The site is blocked or deleted, its owner is blocked, or the request came without https',
      404: 'No such method or object',
      408: 'The body stopped arriving; the request may be sent again',
      413: 'The body is larger than 1 MB',
      422: 'Fields failed validation; details say which',
      429: 'A rate limit is exceeded',
      500: 'Service error',
      503: 'The service is temporarily unavailable',
    },
    headers: {
      requestId: 'Id of the request: the one that the client sent, or a new one',
      retryAfter: 'Seconds to wait before trying again',
    },
    faults: {
      parameter: { field: 'visitor_id', code: 'invalid_value' },
      field: { field: 'conversions[0].goal', code: 'required' },
    },
  },
};

export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: { field: string; code: DetailCode; message?: string }[] };
}

/** Returns the body of an error response. */
export function errorBody(error: HttpError, texts: ErrorTexts): ErrorBody {
  const body: ErrorBody = { error: { code: error.code, message: texts.errors[error.code] } };
  if (error.details.length > 0) {
    body.error.details = error.details.map((fault) => ({
      field: fault.field,
      code: fault.code,
      ...(texts.details && { message: texts.details[fault.code](fault) }),
    }));
  }
  return body;
}
