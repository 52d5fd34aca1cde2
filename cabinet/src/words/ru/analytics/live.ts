/** Russian texts about current visitors of a site. */
import type { Words } from '../../en/index.ts';

export const live: Words['live'] = {
  title: 'Сейчас',
  now: 'Людей сейчас',
  recently: (people, visits) => `За последние 30 минут: людей — ${people}, визитов — ${visits}`,
  people: 'Люди',
  definition: 'На сайте — те, у кого был хит за последние пять минут. Роботы не учитываются.',
  sampled: 'Визитов очень много: посчитано по части из них.',
  pages: 'Страницы сейчас',
  sources: 'Источники',
  nobody: 'Сейчас никого нет.',
};
