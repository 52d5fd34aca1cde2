/** Visits, the device of a visit, and its place. */
import type { ClientFacts, Place } from '../../../domain/reports/lakeRows.ts';
import { call, sql, type Sql } from '../../sql/index.ts';
import { v } from '../entry/columns.ts';
import { local, type Expression } from '../entry/terms.ts';
import type { Dimension, Names } from '../entry/types.ts';
import { bucketKey, bucketText, dimension, jsonParam, pathLevel, yesOrNo } from './defineDimension.ts';

type Given = Omit<Parameters<typeof dimension>[0], 'group' | 'level'>;
const visit = (given: Given): Dimension => dimension({ group: 'visit', level: 'visit', ...given });

const PAGEVIEWS = [0, 1, 2, 3, 6, 11, 21];
const SECONDS = [0, 10, 30, 60, 180, 600, 1800];

const entryPathLevel = (level: number): Dimension =>
  visit({
    id: `entry_path_level${level}`,
    address: 'part',
    label: { en: `Entry path, level ${level}`, ru: `Путь входа, уровень ${level}` },
    key: pathLevel(v.entry_path, level),
  });

/** Returns the whole days of the site's calendar from a time to the start of the visit. */
const daysSince = (time: Sql): Expression => call('daysBetween', local(time), local(v.started_at));

export const VISIT: readonly Dimension[] = [
  visit({ id: 'entry_page', address: 'whole', label: { en: 'Entry page', ru: 'Страница входа' }, key: v.entry_url }),
  visit({
    id: 'entry_path',
    address: 'whole',
    label: { en: 'Entry path', ru: 'Путь страницы входа' },
    key: v.entry_path,
  }),
  visit({
    id: 'entry_domain',
    address: 'part',
    label: { en: 'Entry domain', ru: 'Домен страницы входа' },
    key: v.entry_domain,
  }),
  ...[1, 2, 3].map(entryPathLevel),
  visit({ id: 'exit_page', address: 'whole', label: { en: 'Exit page', ru: 'Страница выхода' }, key: v.exit_url }),
  visit({
    id: 'exit_path',
    address: 'whole',
    label: { en: 'Exit path', ru: 'Путь страницы выхода' },
    key: v.exit_path,
  }),
  // false sorts before true, so "new" precedes "returning".
  visit({
    id: 'visitor_type',
    label: { en: 'New or returning', ru: 'Новый или вернувшийся' },
    key: sql`(${v.visit_number} > 1)`,
    text: (key) => sql`case ${key} when true then 'returning' when false then 'new' end`,
  }),
  visit({
    id: 'visit_number',
    type: 'number',
    label: { en: 'Visit number', ru: 'Номер визита' },
    key: v.visit_number,
  }),
  visit({
    id: 'pageviews_bucket',
    type: 'number',
    label: { en: 'Page views in the visit', ru: 'Глубина просмотра' },
    key: bucketKey(v.pageviews, PAGEVIEWS),
    text: (key) => bucketText(key, PAGEVIEWS),
  }),
  visit({
    id: 'duration_bucket',
    type: 'number',
    label: { en: 'Visit duration, seconds', ru: 'Длительность визита, секунды' },
    key: bucketKey(v.duration_s, SECONDS),
    text: (key) => bucketText(key, SECONDS),
  }),
  visit({ id: 'bounce', label: { en: 'Bounce', ru: 'Отказ' }, key: v.is_bounce, text: yesOrNo }),
  visit({
    id: 'days_since_first_visit',
    type: 'number',
    label: { en: 'Days since the first visit', ru: 'Дней с первого визита' },
    key: daysSince(v.first_visit_at),
  }),
  visit({
    id: 'days_since_previous_visit',
    type: 'number',
    label: { en: 'Days since the previous visit', ru: 'Дней с предыдущего визита' },
    key: daysSince(v.previous_visit_at),
  }),
  visit({ id: 'is_robot', label: { en: 'Robot', ru: 'Робот' }, key: v.is_robot, text: yesOrNo }),
  visit({
    id: 'robot_reason',
    label: { en: 'Robot detected by', ru: 'Причина отнесения к роботам' },
    key: v.robot_reason,
  }),
  visit({
    id: 'logged_in',
    label: { en: 'Logged in', ru: 'Вошёл на сайт' },
    key: sql`case when ${v.visit_id} is not null then ${v.user_id} is not null end`,
    text: yesOrNo,
  }),
  visit({
    id: 'visit_param',
    label: { en: 'Visit param', ru: 'Параметр визита' },
    takes: 'key',
    key: jsonParam(v.params),
  }),
];

const device = (
  id: keyof ClientFacts | 'browser_language' | 'screen_resolution' | 'window_size' | 'visitor_timezone',
  en: string,
  ru: string,
): Dimension => dimension({ group: 'technology', level: 'visit', id, label: { en, ru }, key: v[id] });

export const TECHNOLOGY: readonly Dimension[] = [
  device('device_type', 'Device type', 'Тип устройства'),
  device('device_brand', 'Device brand', 'Производитель устройства'),
  device('device_model', 'Device model', 'Модель устройства'),
  device('os', 'Operating system', 'Операционная система'),
  device('os_version', 'Operating system version', 'Версия операционной системы'),
  device('browser', 'Browser', 'Браузер'),
  device('browser_version', 'Browser version', 'Версия браузера'),
  device('browser_engine', 'Browser engine', 'Движок браузера'),
  device('browser_language', 'Browser language', 'Язык браузера'),
  device('screen_resolution', 'Screen resolution', 'Разрешение экрана'),
  device('window_size', 'Window size', 'Размер окна'),
  device('visitor_timezone', 'Visitor’s time zone', 'Часовой пояс посетителя'),
];

const place = (id: keyof Place, names: Names, en: string, ru: string): Dimension =>
  dimension({ group: 'geography', level: 'visit', id, label: { en, ru }, names, key: v[id] });

export const GEOGRAPHY: readonly Dimension[] = [
  place('continent', 'continents', 'Continent', 'Континент'),
  place('country', 'countries', 'Country', 'Страна'),
  place('region', 'regions_by_name', 'Region', 'Регион'),
  place('city', 'cities_by_name', 'City', 'Город'),
];
