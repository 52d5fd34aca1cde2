/** Russian texts of a project's overview. */
import type { Words } from '../../en/index.ts';

export const project: Words['project'] = {
  title: 'Обзор',
  pipeline: 'Анализ',
  toPipeline: 'Вся обработка',
  failures: 'Самые частые причины ошибок',
  volume: 'Объём этого месяца',
  toVolume: 'По дням и моделям',
  latest: 'Последние объекты',
  toItems: 'Все объекты',
  first: 'Отправить первый объект',
  webhooks: 'Вебхуки',
  toWebhooks: 'Все вебхуки',
  noWebhooks: 'Об окончании анализа никому не сообщается.',
  addWebhook: 'Добавить вебхук',
};
