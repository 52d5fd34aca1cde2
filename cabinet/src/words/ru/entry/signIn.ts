/** Russian texts of the sign-in page. */
import type { Words } from '../../en/index.ts';

export const signIn: Words['signIn'] = {
  title: 'Вход',
  email: 'E-mail',
  password: 'Пароль',
  code: 'Код из приложения или резервный код',
  submit: 'Войти',
  byLink: 'Входим…',
  wrong: 'Неверный e-mail или пароль.',
  wrongCode: 'Код неверен или уже использован.',
  linkOver: 'Ссылка использована или устарела. Попросите новую или войдите с паролем.',
  newLink: 'Новую печатает эта команда на машине, где работает Attune:',
};
