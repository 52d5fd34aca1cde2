/** Russian texts about the signed-in user. */
import type { Words } from '../../en/index.ts';

export const account: Words['account'] = {
  menu: 'Учётная запись',
  own: 'Ваша учётная запись',
  users: 'Пользователи',
  changes: 'Изменения',
  noChanges: 'Изменения видят только владельцы и администраторы.',
  installation: 'Установка',
  noInstallation: 'Состояние установки видят только администраторы.',
  signOut: 'Выйти',
  signOutEverywhere: 'Выйти на всех устройствах',
  language: 'Язык',
  theme: 'Тема',
  themes: { system: 'Как в системе', light: 'Светлая', dark: 'Тёмная' },
  roles: { admin: 'Администратор', owner: 'Владелец', viewer: 'Наблюдатель' },
};
