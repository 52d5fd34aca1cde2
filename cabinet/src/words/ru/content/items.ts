/** Russian texts of the list of items. */
import type { Words } from '../../en/index.ts';

export const items: Words['items'] = {
  title: 'Объекты',
  search: 'Найти по идентификатору или названию',
  status: 'Состояние',
  add: 'Добавить объект',
  any: 'Любой',
  visibility: 'Показ',
  visibilities: { shown: 'Показывается', hidden: 'Скрыт', deleted: 'Удалён' },
  origin: 'Источник',
  origins: { api: 'API или кабинет', import: 'Импорт', order: 'Заказ' },
  view: 'Вид',
  table: 'Таблица',
  grid: 'Картинки',
  moderated: (level) => `Модерация: ${level}`,
  columns: { item: 'Объект', type: 'Тип', status: 'Состояние', updated: 'Изменён' },
  empty: 'Здесь пока пусто',
  emptyHint: 'Добавьте первый объект кнопкой выше или передайте его в API контента:',
  emptyImport: 'Или загрузите файл с объектами',
  nothingFound: 'Ничего не найдено',
  clear: 'Показать все',
  stoppedAt: (what) => `Только объекты, чей анализ остановился: ${what}`,
  next: 'Следующая страница',
  first: 'Первая страница',
  more: 'Поиск продолжится на следующей странице.',
  unavailable: 'скрыт',
  deleted: 'удалён',
};

export const types: Words['types'] = {
  video: 'Видео',
  audio: 'Аудио',
  image: 'Изображение',
  text: 'Текст',
  mixed: 'Смешанный',
};

export const statuses: Words['statuses'] = {
  queued: 'В очереди',
  processing: 'В работе',
  ready: 'Готов',
  partial: 'Готов частично',
  failed: 'Ошибка',
  deferred: 'Отложен',
};
