/**
 * Faults of a medium as users see them: `processing_errors` of the content API shows the code and the Russian message.
 * `permanent` means that the same bytes fail in the same way, so a retry is pointless; the others are temporary faults
 * of this machine. downloadFaults.ts classifies what the host of a medium answers.
 */
export const MEDIA_FAULTS = {
  empty_media: { permanent: true, message: 'Файл пуст.' },
  unsupported_media: { permanent: true, message: 'Формат файла не поддерживается.' },
  media_kind_mismatch: { permanent: true, message: 'Содержимое файла не соответствует указанному виду медиа (kind).' },
  no_video_stream: { permanent: true, message: 'В файле нет видеодорожки.' },
  no_audio_stream: { permanent: true, message: 'В файле нет звуковой дорожки.' },
  audio_unreadable: { permanent: true, message: 'Звуковая дорожка в файле не читается.' },
  too_many_streams: { permanent: true, message: 'В файле слишком много дорожек (больше 32).' },
  media_truncated: { permanent: true, message: 'Файл обрезан: в нём не хватает данных.' },
  media_too_large: { permanent: true, message: 'Файл превышает допустимый размер.' },
  subtitles_too_large: { permanent: true, message: 'Субтитры в файле превышают допустимый размер.' },
  subtitles_unreadable: { permanent: true, message: 'Кодировка субтитров в файле не распознана.' },
  image_too_large: { permanent: true, message: 'Изображение превышает 50 мегапикселей.' },
  resolution_too_large: { permanent: true, message: 'Разрешение видео превышает допустимое (8K).' },
  decode_failed: { permanent: true, message: 'Файл повреждён: его не удалось декодировать.' },
  processing_timeout: { permanent: true, message: 'Обработка файла превысила допустимое время.' },
  processing_interrupted: { permanent: false, message: 'Обработка файла прервана системой, попытка будет повторена.' },
  decoder_unavailable: { permanent: false, message: 'Декодер медиафайлов временно недоступен.' },
  storage_full: { permanent: false, message: 'Недостаточно места для обработки файла.' },
} as const satisfies Record<string, { permanent: boolean; message: string }>;

export type MediaErrorCode = keyof typeof MEDIA_FAULTS;

/**
 * A fault of one medium. `message` is safe for users. `detail`, the decoder's own output, is for logs only, because it
 * can quote bytes of the file and local paths.
 */
export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly code: MediaErrorCode;
  readonly permanent: boolean;
  readonly detail: string | null;

  constructor(code: MediaErrorCode, detail: string | null = null, options?: ErrorOptions) {
    super(MEDIA_FAULTS[code].message, options);
    this.code = code;
    this.permanent = MEDIA_FAULTS[code].permanent;
    this.detail = detail;
  }
}

/**
 * Error for a worker without a free slot for the project's medium: a normal condition that does not count as an attempt
 * of the step.
 */
export class BusyError extends Error {
  override readonly name = 'BusyError';

  constructor() {
    super('no slot for this project became free in time');
  }
}
