/** The texts of the error bodies, one table per language. */
import type { DetailCode, ErrorCode, FieldFault, HttpError } from './errors.ts';

export interface ErrorTexts {
  errors: Record<ErrorCode, string>;
  /** Null where the API's details carry no message. */
  details: Record<DetailCode, (fault: FieldFault) => string> | null;
}

/** Of the content API. */
export const RUSSIAN: ErrorTexts = {
  errors: {
    invalid_request: 'Некорректный запрос: тело не JSON либо неверны параметры пути или строки запроса',
    unauthorized: 'Ключ не передан, неверен или отозван',
    forbidden: 'Доступ приостановлен или запрещён',
    not_found: 'Не найдено',
    payload_too_large: 'Тело запроса или пакет больше допустимого',
    validation_failed: 'Поля запроса не прошли проверку',
    rate_limited: 'Превышена частота запросов',
    internal: 'Внутренняя ошибка',
    unavailable: 'Сервис временно недоступен, повторите запрос позже',
  },
  details: {
    required: () => 'Обязательное поле не передано',
    invalid_type: () => 'Неверный тип значения',
    invalid_value: ({ allowed }) => (allowed ? `Недопустимое значение; возможны: ${allowed.join(', ')}` : 'Недопустимое значение'),
    too_long: ({ limit }) => (limit === undefined ? 'Слишком длинное значение' : `Слишком длинное значение: предел ${limit}`),
    unknown_field: () => 'Неизвестное поле',
    invalid_url: () => 'Нужен корректный адрес https',
    invalid_datetime: () => 'Нужно время ISO-8601 с часовым поясом: Z или смещение',
    pii_not_allowed: () => 'Персональные данные здесь не принимаются',
    no_purchase_type: () => 'В проекте нет типа события с признаком покупки',
    too_old: () => 'Дата старше 730 дней',
    forbidden_address: () => 'Адрес ведёт во внутреннюю сеть или записан недопустимо',
  },
};

/** Of the cabinet, where people log in. */
export const RUSSIAN_CABINET: ErrorTexts = {
  ...RUSSIAN,
  errors: { ...RUSSIAN.errors, unauthorized: 'Вход не выполнен: токен, сессия или пароль не переданы, неверны или больше не действуют' },
};

export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: { field: string; code: DetailCode; message?: string }[] };
}

/** The body of an error answer. */
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
