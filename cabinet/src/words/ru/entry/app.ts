/** Russian texts around every page. */
import type { Words } from '../../en/index.ts';

export const app: Words['app'] = {
  title: 'Attune',
  skipToContent: 'К содержанию',
  tenant: 'Проект или сайт',
  projects: 'Проекты',
  sites: 'Сайты',
  home: 'Главная',
  linkedSite: (title) => `Сайт проекта: ${title}`,
  linkedProject: (title) => `Проект сайта: ${title}`,
};

export const palette: Words['palette'] = {
  open: 'Перейти…',
  key: 'Ctrl K',
  label: 'Перейти к проекту, сайту, странице или объекту',
  hint: 'Название или id',
  nothing: 'Ничего не найдено',
};

export const table: Words['table'] = {
  loading: 'Загрузка',
  more: 'Ещё',
  nothingFound: 'Ничего не подходит',
  clear: 'Показать всё',
};

export const notFound: Words['notFound'] = { title: 'Такой страницы нет', home: 'На главную' };

/** Reasons for which a control is disabled. */
export const refusals: Words['refusals'] = {
  owner: 'Это могут только владельцы и администраторы.',
  admin: 'Это меняют только администраторы.',
  paused: 'Проект приостановлен или в архиве. Добавлять и анализировать можно, когда он снова станет активным.',
};
