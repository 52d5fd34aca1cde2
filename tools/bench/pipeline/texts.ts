/** Text items, all different, so that no cache replaces the analysis. */
const SENTENCES = [
  'Городская библиотека открыла новый читальный зал на улице Садовой',
  'Учёные измерили скорость течения подо льдом и сравнили её с прошлогодней',
  'Пекарня у вокзала продаёт ржаной хлеб с семи утра',
  'На выставке показали макеты мостов, построенных за последние сто лет',
  'Команда лаборатории описала метод, который не требует дорогих приборов',
  'В парке посадили двести лип и поставили скамейки вдоль аллеи',
  'Театр объявил премьеру спектакля по повести девятнадцатого века',
  'Инженеры заменили двигатель насоса и снизили расход энергии на треть',
];

/** Sentences of a short text, about 2.4 KB, and of one for the queue `ai`, about 8 KB. */
export const SHORT = 18;
export const LONG = 60;

/** Returns the PUT body of the n-th item. */
export function textBody(n: number, length: number): object {
  const sentences = Array.from(
    { length },
    (_, index) => `${SENTENCES[(n * 7 + index * (1 + (n % 5))) % SENTENCES.length]}, номер ${n + index}.`,
  );
  return { type: 'text', title: `Заметка ${n}`, body: sentences.join(' ') };
}
