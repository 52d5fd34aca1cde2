/** Russian texts about errors. */
import type { Words } from '../../en/index.ts';

export const errors: Words['errors'] = {
  title: 'Не получилось',
  retry: 'Повторить',
  signIn: 'Войти снова в новой вкладке',
  request: (id) => `Запрос ${id}`,
  wait: (span) => `Сервер просит подождать ${span}.`,
  network: 'Сервер не отвечает. Проверьте соединение.',
  unknown: 'Произошло что-то неожиданное.',
  codes: {
    unauthorized: 'Вы больше не вошли.',
    forbidden: 'На это у вас нет прав.',
    not_found: 'Здесь ничего нет, или вам это не видно.',
    request_timeout: 'Запрос не пришёл вовремя. Повторите.',
    rate_limited: 'Слишком много запросов. Подождите немного.',
    validation_failed: 'Некоторые поля заполнены неверно.',
    invalid_request: 'Сервер не понял запроса.',
    payload_too_large: 'Это больше, чем разрешено.',
    unavailable: 'Сервис временно недоступен.',
    internal: 'Ошибка на сервере. Она записана в его журнал.',
  },
};
