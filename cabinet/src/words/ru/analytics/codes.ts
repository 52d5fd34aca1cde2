/** Russian names of report dimensions and of their codes. */
import type { Words } from '../../en/index.ts';

export const dimensions: Words['dimensions'] = {
  source_type: 'Тип источника',
  source_name: 'Источник',
  referrer_domain: 'Ссылающийся сайт',
  utm_campaign: 'Кампания',
  page_path: 'Страница',
  entry_path: 'Страница входа',
  exit_path: 'Страница выхода',
  country: 'Страна',
  region: 'Регион',
  city: 'Город',
  device_type: 'Устройство',
  browser: 'Браузер',
  os: 'Система',
  goal: 'Цель',
};

export const codes: Words['codes'] = {
  unknown: 'Неизвестно',
  source_type: {
    direct: 'Прямой заход',
    internal: 'Внутренний переход',
    organic: 'Поиск',
    ad: 'Реклама',
    referral: 'Ссылка на сайте',
    social: 'Социальная сеть',
    messenger: 'Мессенджер',
    email: 'Письмо',
    ai_assistant: 'ИИ-помощник',
    recommendation: 'Рекомендация',
    saved: 'Сохранённая страница',
    unknown: 'Неизвестно',
  },
  device_type: {
    desktop: 'Компьютер',
    mobile: 'Телефон',
    tablet: 'Планшет',
    tv: 'Телевизор',
    console: 'Приставка',
    other: 'Другое',
  },
};
