/** Russian texts in dialogs. */
import type { Words } from '../../en/index.ts';

export const secrets: Words['secrets'] = {
  once: 'Показывается один раз. Сохраните сейчас: снова его не покажет никто.',
  stored: 'Сохранено',
  copy: 'Копировать',
  copied: 'Скопировано',
};

export const dialogs: Words['dialogs'] = { cancel: 'Отмена' };
