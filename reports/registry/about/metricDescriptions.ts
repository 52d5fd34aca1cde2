/** Describes each metric in a sentence or two (docs/decisions/reports.md has every detail). */
import type { LocalizedText } from '../entry/types.ts';

export const ABOUT_METRICS: Readonly<Record<string, LocalizedText>> = {
  visits: {
    en: 'Visits that began in the period. A pause of more than 30 minutes or another source begins a new visit.',
    ru: 'Визиты, начавшиеся в периоде. Перерыв больше 30 минут или переход из другого источника начинает новый визит.',
  },
  visitors: {
    en: 'Distinct visitors with a visit in the period. A visitor is a browser or an app.',
    ru: 'Разные посетители, у которых в периоде был визит. Посетитель — это браузер или приложение.',
  },
  users: {
    en: 'Distinct users who were logged in during a visit.',
    ru: 'Разные пользователи, которые были авторизованы во время визита.',
  },
  new_visitors: {
    en: 'Visitors whose very first visit is among those counted.',
    ru: 'Посетители, самый первый визит которых — среди посчитанных.',
  },
  new_visitors_share: { en: 'New visitors divided by visitors.', ru: 'Новые посетители, делённые на посетителей.' },
  pageviews: {
    en: 'Page views. With a page among the dimensions or filters, the views of that page alone.',
    ru: 'Просмотры страниц. Если в группировках или условиях есть страница, то просмотры только этой страницы.',
  },
  hits: {
    en: 'Page views, events, goals, orders, data about users, forms, clicks, downloads and scrolling together.',
    ru: 'Просмотры, события, цели, заказы, данные о пользователях, отправки форм, нажатия, загрузки и прокрутка вместе.',
  },
  pages_per_visit: { en: 'Page views divided by visits.', ru: 'Просмотры, делённые на визиты.' },
  avg_visit_duration: {
    en: 'Average time from the first to the last hit of a visit.',
    ru: 'Время от первого до последнего хита визита, в среднем по визитам.',
  },
  bounce_rate: { en: 'Bounces divided by visits.', ru: 'Отказы, делённые на визиты.' },
  bounces: {
    en: 'Visits with one page view at most, shorter than 15 seconds and without a goal.',
    ru: 'Визиты не более чем с одним просмотром, короче 15 секунд и без достигнутых целей.',
  },
  visits_per_visitor: { en: 'Visits divided by visitors.', ru: 'Визиты, делённые на посетителей.' },
  visits_per_day: {
    en: 'Visits divided by the number of days of the period.',
    ru: 'Визиты, делённые на число дней периода.',
  },
  robot_visits: {
    en: 'Visits of robots. They are 0 while the report leaves robots out.',
    ru: 'Визиты роботов. Пока отчёт строится без роботов, это 0.',
  },
  robot_share: {
    en: 'Visits of robots divided by visits. It is 0 while the report leaves robots out.',
    ru: 'Визиты роботов, делённые на визиты. Пока отчёт строится без роботов, это 0.',
  },
  mobile_share: {
    en: 'Visits from mobile phones divided by visits.',
    ru: 'Визиты с мобильных телефонов, делённые на визиты.',
  },
  unique_pageviews: {
    en: 'Pages seen in visits: a page counts once per visit, however often it was viewed.',
    ru: 'Страницы, увиденные за визит: сколько бы раз страницу ни открыли за один визит, она считается один раз.',
  },
  entrances: {
    en: 'Visits whose first page view is on this page.',
    ru: 'Визиты, первый просмотр которых — на этой странице.',
  },
  exits: {
    en: 'Visits whose last page view is on this page.',
    ru: 'Визиты, последний просмотр которых — на этой странице.',
  },
  exit_rate: { en: 'Exits divided by page views.', ru: 'Выходы, делённые на просмотры.' },
  avg_time_on_page: {
    en: 'Average time from a page view to the next one of the visit, or to the end of the visit.',
    ru: 'Время до следующего просмотра в визите или до конца визита, в среднем по просмотрам.',
  },
  avg_scroll_depth: {
    en: 'How far down the page was scrolled, in percent of its height, averaged over page views.',
    ru: 'До какой доли высоты страницы её прокрутили, в процентах, в среднем по просмотрам.',
  },
  events: { en: 'Events that the site sent.', ru: 'События, которые отправил сайт.' },
  form_submissions: { en: 'Forms that were submitted.', ru: 'Отправленные формы.' },
  outbound_clicks: {
    en: 'Clicks on links to other sites.',
    ru: 'Нажатия на ссылки, ведущие на другие сайты.',
  },
  downloads: { en: 'Clicks on links to files.', ru: 'Нажатия на ссылки на файлы.' },
  conversions: {
    en: 'How often goals were reached. One visit may reach a goal several times.',
    ru: 'Сколько раз достигли целей. За один визит цель можно достичь несколько раз.',
  },
  converted_visits: {
    en: 'Distinct visits in which a goal was reached.',
    ru: 'Разные визиты, в которых достигнута цель.',
  },
  converted_visitors: {
    en: 'Distinct visitors who reached a goal.',
    ru: 'Разные посетители, достигшие цели.',
  },
  conversion_rate: {
    en: 'The share of visits with a conversion among all visits of the row.',
    ru: 'Доля визитов с достигнутой целью среди всех визитов строки.',
  },
  visitor_conversion_rate: {
    en: 'The share of visitors with a conversion among all visitors of the row.',
    ru: 'Доля посетителей, достигших цели, среди всех посетителей строки.',
  },
  conversion_value: {
    en: 'The sum of the values of the conversions, at the exchange rates of their time.',
    ru: 'Сумма ценностей достижений по курсу на момент достижения.',
  },
  value_per_conversion: {
    en: 'Value of conversions divided by conversions.',
    ru: 'Ценность целей, делённая на число достижений.',
  },
  orders: {
    en: 'Purchases minus those that were refunded in full.',
    ru: 'Покупки за вычетом возвращённых целиком.',
  },
  buyers: { en: 'Distinct people who bought something.', ru: 'Разные люди, купившие что-нибудь.' },
  revenue: {
    en: 'Revenue from purchases minus refunds, in the currency of the site at today’s exchange rates.',
    ru: 'Доход от покупок за вычетом возвратов, в валюте сайта по сегодняшним курсам.',
  },
  avg_order_value: {
    en: 'Revenue divided by the orders whose revenue is known.',
    ru: 'Доход, делённый на заказы, сумма которых известна.',
  },
  revenue_per_visit: { en: 'Revenue divided by visits.', ru: 'Доход, делённый на визиты.' },
  revenue_per_visitor: { en: 'Revenue divided by visitors.', ru: 'Доход, делённый на посетителей.' },
  order_conversion_rate: {
    en: 'The share of visits with a purchase among all visits of the row.',
    ru: 'Доля визитов с покупкой среди всех визитов строки.',
  },
  refunds: { en: 'Full and partial refunds.', ru: 'Возвраты, полные и частичные.' },
  refund_revenue: { en: 'The sum of the amounts refunded.', ru: 'Сумма возвратов.' },
  gross_revenue: { en: 'Revenue from purchases before refunds.', ru: 'Доход от покупок без вычета возвратов.' },
  first_orders: {
    en: "Purchases that are their buyer's first.",
    ru: 'Покупки, первые для своего покупателя.',
  },
  repeat_orders: {
    en: 'Purchases by people who had bought before.',
    ru: 'Покупки тех, кто уже покупал раньше.',
  },
  product_quantity: { en: 'How many units were bought.', ru: 'Сколько единиц товара куплено.' },
  product_revenue: {
    en: 'Price times quantity of the products bought.',
    ru: 'Цена, умноженная на количество купленного.',
  },
  product_orders: { en: 'Distinct orders with the product.', ru: 'Разные заказы, в которых есть товар.' },
  product_avg_price: {
    en: 'Revenue of products divided by the quantity whose price is known.',
    ru: 'Доход от товаров, делённый на количество с известной ценой.',
  },
  product_refunded_quantity: { en: 'How many units were returned.', ru: 'Сколько единиц товара возвращено.' },
  people: {
    en: 'Distinct people. A user counts once, however many browsers they use.',
    ru: 'Разные люди. Пользователь считается один раз, сколько бы браузеров у него ни было.',
  },
  people_share: {
    en: 'The share of people with this value among those whose value is known.',
    ru: 'Доля людей с этим значением среди тех, о ком оно известно.',
  },
  undefined_share: {
    en: 'The share of people whose value is not known.',
    ru: 'Доля людей, о которых значение неизвестно.',
  },
  network_share: {
    en: 'The share of people whose value is known from other sites of the network.',
    ru: 'Доля людей, о которых значение известно от других сайтов сети.',
  },
  affinity_index: {
    en: 'How frequent the value is here compared with all people of the site: 100 means equally frequent.',
    ru: 'Во сколько раз значение здесь встречается чаще, чем у всех людей сайта: 100 — так же часто.',
  },
};
