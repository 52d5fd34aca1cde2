import type { Listed } from './listed.ts';

/**
 * Web mail and mail apps. A company's own web mail is recognised by the first label of its host
 * (loops/ingest/sources/referrer.ts).
 */
export const MAIL_SERVICES: readonly Listed[] = [
  { name: 'Gmail', hosts: 'mail.google.com inbox.google.com', apps: 'com.google.android.gm' },
  { name: 'Yandex Mail', hosts: 'mail.yandex.* mail.ya.ru', apps: 'ru.yandex.mail' },
  {
    name: 'Mail.ru Mail',
    hosts: 'e.mail.ru touch.mail.ru light.mail.ru octavius.mail.ru click.mail.ru',
    apps: 'ru.mail.mailapp',
  },
  { name: 'Rambler Mail', hosts: 'mail.rambler.ru', apps: 'ru.rambler.mail' },
  {
    name: 'Outlook',
    hosts:
      'outlook.live.com outlook.office.com outlook.office365.com outlook.cloud.microsoft mail.live.com safelinks.protection.outlook.com',
    apps: 'com.microsoft.office.outlook',
  },
  { name: 'Yahoo Mail', hosts: 'mail.yahoo.com mail.yahoo.co.jp', apps: 'com.yahoo.mobile.client.android.mail' },
  { name: 'Proton Mail', hosts: 'mail.proton.me mail.protonmail.com', apps: 'ch.protonmail.android' },
  { name: 'Tuta', hosts: 'app.tuta.com mail.tutanota.com', apps: 'de.tutao.tutanota' },
  { name: 'AOL Mail', hosts: 'mail.aol.com' },
  { name: 'Zoho Mail', hosts: 'mail.zoho.com mail.zoho.eu', apps: 'com.zoho.mail' },
  { name: 'Fastmail', hosts: 'app.fastmail.com fastmail.com' },
  { name: 'GMX Mail', hosts: 'navigator.gmx.net deref-gmx.net deref-gmx.com lightmailer.gmx.net' },
  { name: 'Web.de Mail', hosts: 'navigator.web.de deref-web.de deref-web-02.de' },
  { name: 'T-Online Mail', hosts: 'email.t-online.de' },
  { name: 'Seznam Mail', hosts: 'email.seznam.cz email.cz' },
  { name: 'Ukr.net Mail', hosts: 'mail.ukr.net' },
  { name: 'QQ Mail', hosts: 'mail.qq.com' },
  { name: 'NetEase Mail', hosts: 'mail.163.com mail.126.com' },
  { name: 'Naver Mail', hosts: 'mail.naver.com' },
  { name: 'Samsung Email', apps: 'com.samsung.android.email.provider' },
  { name: 'Mailchimp', hosts: 'campaign-archive.com list-manage.com', aliases: 'mailchimp' },
  { name: 'Unisender', hosts: 'unisender.com', aliases: 'unisender' },
  { name: 'SendPulse', hosts: 'sendpulse.com', aliases: 'sendpulse' },
];
