/** Codes of `processing_errors` besides those of the media decoder, with their messages for the integrator. */
export const FAULT_MESSAGES = {
  internal: 'Внутренняя ошибка анализа.',
  worker_lost: 'Анализ прерван и будет повторён.',
  no_content: 'У объекта нет содержимого, по которому можно построить векторы.',
  nothing_to_summarise: 'Нет содержимого для описания.',
  no_frames: 'Нет кадров для анализа.',
  no_speech_provider: 'Распознавание речи не подключено.',
  speech_partial: 'Часть речи не распознана.',
  no_audio: 'В медиа нет звука.',
  no_vision_provider: 'Анализ изображений не подключён.',
  no_summary_provider: 'Составление описаний не подключено.',
  no_embedding_provider: 'Построение векторов не подключено.',
  media_not_found: 'Медиа не найдено по указанному адресу (404 или 410).',
  media_access_denied: 'Доступ к медиа запрещён (401 или 403).',
  media_http_error: 'Сервер медиа ответил ошибкой.',
  media_unavailable: 'Сервер медиа не отвечает или перегружен.',
  media_redirect: 'Слишком много перенаправлений или перенаправление без адреса.',
  media_tls: 'Не удалось установить защищённое соединение с сервером медиа.',
  media_dns: 'Имя сервера медиа не находится.',
  media_too_large: 'Файл превышает допустимый размер.',
  forbidden_address: 'Адрес медиа ведёт во внутреннюю сеть или записан неверно.',
  provider_refused: 'Провайдер анализа отказался обрабатывать содержимое.',
  provider_quota: 'Исчерпана квота провайдера анализа.',
  provider_unavailable: 'Провайдер анализа не отвечает или перегружен.',
  provider_bad_answer: 'Ответ провайдера анализа непригоден.',
  provider_rejected: 'Провайдер анализа отклонил запрос.',
} as const;

export type FaultCode = keyof typeof FAULT_MESSAGES;

/** Reasons for which a step that is done lacks a part; they are shown although the step is done. */
export const MISSING_PARTS = [
  'no_speech_provider',
  'no_vision_provider',
  'speech_partial',
] as const satisfies readonly FaultCode[];
export type MissingPart = (typeof MISSING_PARTS)[number];

/**
 * The reasons for which preparing leaves out a part of a medium. True if the part is its sound: later steps then have to
 * know that the medium has sound, although none was analysed.
 */
export const LOSES_SOUND = { audio_unreadable: true, subtitles_too_large: false, subtitles_unreadable: false } as const;
export type LossCode = keyof typeof LOSES_SOUND;

/** Reasons for which a step had nothing to do. */
export type SkipCode = Extract<FaultCode, 'nothing_to_summarise' | 'no_frames' | 'no_audio' | `no_${string}_provider`>;

/** Whether a medium with this reason lacks nothing, because it has nothing for the step. Such a reason is shown last. */
const MISSES_NOTHING: Readonly<Record<SkipCode | LossCode, boolean>> = {
  no_audio: true,
  no_frames: true,
  nothing_to_summarise: true,
  no_speech_provider: false,
  no_vision_provider: false,
  no_summary_provider: false,
  no_embedding_provider: false,
  audio_unreadable: false,
  subtitles_too_large: false,
  subtitles_unreadable: false,
};
export const CODES_THAT_MISS_NOTHING = Object.keys(MISSES_NOTHING).filter(
  (code) => MISSES_NOTHING[code as keyof typeof MISSES_NOTHING],
);

/** Returns a code with its message, as steps store it. */
export function faultError<C extends FaultCode>(code: C): { code: C; message: string } {
  return { code, message: FAULT_MESSAGES[code] };
}
