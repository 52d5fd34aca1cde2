/** Russian words in names that show their kind. */

/**
 * Kinds of organisations, in dictionary form. Such a word alone is not a name; in a name it shows that the name is an
 * organisation's.
 */
export const KINDS_OF_ORGANISATIONS: ReadonlySet<string> = new Set(
  `банк компания фирма общество фонд университет институт академия школа гимназия лицей колледж министерство департамент
  комитет агентство служба управление администрация правительство дума совет палата суд прокуратура полиция инспекция
  комиссия союз ассоциация федерация лига клуб сборная команда театр музей галерея библиотека филармония оркестр ансамбль
  хор группа студия издательство газета журнал радио канал телеканал завод фабрика комбинат холдинг концерн корпорация
  трест биржа больница поликлиника клиника центр дом партия движение фронт церковь епархия собор монастырь крест сеть
  магазин ресторан кафе гостиница отель аэропорт вокзал порт дорога флот армия дивизия почта бюро лаборатория обсерватория
  заповедник парк зоопарк цирк стадион`.split(/\s+/),
);

/** Endings of compounds that name organisations: «Мосфильм», «Росстрой», in any case. */
const OF_ORGANISATION = /^\p{Lu}\p{Ll}{2,}(?:фильм|банк|строй|надзор|энерго|торг)(?:а|у|ом|ем|е|я|ю)?$/u;

/** Returns whether a word has the form of such a compound. */
export const isOfOrganisation = (word: string): boolean => OF_ORGANISATION.test(word);
