/** Pages and the actions on them. */
import { h, v } from '../entry/columns.ts';
import type { Dimension } from '../entry/types.ts';
import { dimension, jsonParam, pathLevel } from './defineDimension.ts';

const page = (given: Omit<Parameters<typeof dimension>[0], 'group' | 'level'>): Dimension =>
  dimension({ group: 'page', level: 'hit', ...given });

const pagePathLevel = (level: number): Dimension =>
  page({
    id: `page_path_level${level}`,
    address: 'part',
    label: { en: `Page path, level ${level}`, ru: `Путь страницы, уровень ${level}` },
    key: pathLevel(h.page_path, level),
    keyAtEnd: { entry: pathLevel(v.entry_path, level), exit: pathLevel(v.exit_path, level) },
  });

export const PAGE: readonly Dimension[] = [
  page({
    id: 'page_url',
    address: 'whole',
    label: { en: 'Page address', ru: 'Адрес страницы' },
    key: h.page_url,
    keyAtEnd: { entry: v.entry_url, exit: v.exit_url },
  }),
  page({
    id: 'page_path',
    address: 'whole',
    label: { en: 'Page path', ru: 'Путь страницы' },
    key: h.page_path,
    keyAtEnd: { entry: v.entry_path, exit: v.exit_path },
  }),
  page({
    id: 'page_domain',
    address: 'part',
    label: { en: 'Page domain', ru: 'Домен страницы' },
    key: h.page_domain,
    keyAtEnd: { entry: v.entry_domain },
  }),
  page({ id: 'page_title', label: { en: 'Page title', ru: 'Заголовок страницы' }, key: h.page_title }),
  ...[1, 2, 3].map(pagePathLevel),
  page({ id: 'event_name', label: { en: 'Event', ru: 'Событие' }, hitType: 'event', key: h.name }),
  page({
    id: 'event_param',
    label: { en: 'Event param', ru: 'Параметр события' },
    takes: 'key',
    hitType: 'event',
    key: jsonParam(h.params),
  }),
  page({ id: 'form_id', label: { en: 'Form', ru: 'Форма' }, hitType: 'form', key: h.name }),
  page({
    id: 'outbound_domain',
    address: 'part',
    label: { en: 'Outbound link domain', ru: 'Домен внешней ссылки' },
    hitType: 'outbound',
    key: h.target_domain,
  }),
  page({
    id: 'outbound_url',
    address: 'whole',
    label: { en: 'Outbound link', ru: 'Внешняя ссылка' },
    hitType: 'outbound',
    key: h.target,
  }),
  page({
    id: 'download_url',
    address: 'whole',
    label: { en: 'Downloaded file', ru: 'Скачанный файл' },
    hitType: 'download',
    key: h.target,
  }),
];
