/** Russian texts about setting a new password. */
import type { Words } from '../../en/index.ts';

export const passwords: Words['passwords'] = {
  fresh: 'Новый пароль',
  again: 'Новый пароль ещё раз',
  hint: 'Не короче 8 знаков. Несколько необычных слов лучше хитростей.',
  short: 'Не короче 8 знаков.',
  differ: 'Пароли не совпадают.',
};
