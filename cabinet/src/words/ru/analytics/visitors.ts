/** Russian texts about a site's visitors. */
import type { Words } from '../../en/index.ts';
import { counted } from '../grammar/counted.ts';

export const visitors: Words['visitors'] = {
  title: 'Посетители',
  found: 'Кто приходил',
  who: 'Идентификатор посетителя или пользователя',
  about:
    'Каждый посетитель показан один раз, с последним подходящим визитом. Роботы не показаны. Визиты видны столько, сколько сайт их хранит, но не меньше полугода.',
  byId: 'Поиск по идентификатору: период и другие условия не действуют.',
  onlyFrom: (source) => `Только из источника ${source}`,
  columns: {
    who: 'Посетитель',
    when: 'Визит',
    source: 'Источник',
    entry: 'Первая страница',
    device: 'Устройство и место',
    visits: 'Визитов',
    goals: 'Целей',
    recordings: 'Записей',
  },
  goOn: 'Среди последних визитов подходящих нет. Есть более ранние:',
  nothingFound: 'Подходящих посетителей нет',
  empty: 'За этот период посетителей не было',
  emptyHint:
    'Посетители появляются здесь через несколько секунд после первого просмотра, если на странице стоит счётчик.',
};

export const visitor: Words['visitor'] = {
  title: 'Посетитель',
  of: (id) => `Посетитель ${id}`,
  back: 'Посетители',
  visitsOf: (count) => counted(count, 'визит', 'визита', 'визитов'),
  since: (when) => `Впервые ${when}`,
  beingDeleted: 'Этот посетитель удаляется',
  beingDeletedAbout: 'Удаление принято. Все данные этого посетителя исчезнут в течение полутора часов.',
  remove: 'Удалить посетителя',
  removeTitle: 'Удалить этого посетителя?',
  removeAbout:
    'Удаляется всё о нём: просмотры и визиты, цели, заказы, известные данные и записи сессий. Цифры прошлых отчётов изменятся. Готовые выгрузки сайта тоже удаляются: он может быть в них.',
  removeWhen:
    'Это займёт до полутора часов, и отменить удаление нельзя. Если он придёт снова, он будет новым посетителем.',
  visits: 'Визиты',
  noVisits: 'Визитов не сохранилось',
  noVisitsHint: 'Первые просмотры ещё обрабатываются, или визиты уже удалены: сайт хранит их ограниченное время.',
  olderVisits: 'Более ранние визиты посчитаны, но в списке их нет.',
  robot: 'Робот',
  pageviews: (count) => counted(count, 'страница', 'страницы', 'страниц'),
  goalsOf: (count) => counted(count, 'цель', 'цели', 'целей'),
  watch: (time, duration) => `Смотреть ${time}, ${duration}`,
  columns: {
    when: 'Начало',
    source: 'Источник',
    pages: 'Страницы',
    device: 'Устройство и место',
    outcome: 'Цели и заказы',
    recordings: 'Записи',
  },
  orders: 'Заказы',
  orderColumns: { order: 'Заказ', when: 'Время', promo: 'Промокод' },
  known: 'Что известно',
  users: (ids) => `Входил как ${ids}`,
  nothingKnown: 'Пока ничего не известно',
  nothingKnownHint: 'Страницы и сервер сайта могут сообщить пол, возраст, интересы и многое другое.',
  knownColumns: { what: 'Что', value: 'Значение', source: 'Кто сообщил' },
  attributes: {
    gender: 'Пол',
    age_group: 'Возраст',
    interest: 'Интерес',
    has_children: 'Есть дети',
    children_age: 'Возраст ребёнка',
    company_type: 'Тип компании',
    industry: 'Отрасль',
    company_region: 'Регион компании',
    purchase_category: 'Покупает',
    price_segment: 'Ценовой сегмент',
    geo_person_country: 'Страна',
    geo_person_region: 'Регион',
    geo_person_city: 'Город',
  },
};
