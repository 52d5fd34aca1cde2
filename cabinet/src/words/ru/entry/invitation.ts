/** Russian texts of the invitation page. */
import type { Words } from '../../en/index.ts';

export const invitation: Words['invitation'] = {
  title: 'Добро пожаловать в Attune',
  about: 'Выберите пароль, с которым будете входить.',
  accept: 'Задать пароль',
  accepted: 'Пароль задан.',
  signIn: 'Войти',
  over: 'Приглашение использовано, истекло или отозвано. Попросите новое.',
  missing: 'Адрес этой страницы неполон. Откройте его так, как вам его передали.',
};
