/** The texts of the samples. Written for this project; nothing is quoted from elsewhere. */

export interface Slide {
  title: string;
  lines: readonly string[];
  /** Spoken while the slide is shown, and its subtitle. */
  narration: readonly string[];
}

/** The sign on the photograph of the depot's wall. */
export const SIGN = {
  number: '3',
  russian: ['ТРАМВАЙНОЕ ДЕПО', 'МУЗЕЙ ОТКРЫТ 10–18'],
  english: ['TRAM DEPOT', 'MUSEUM OPEN 10–18'],
} as const;

/** The voice at the depot's gate: the audio sample. */
export const ANNOUNCEMENT = [
  'Внимание! Говорит диспетчер музея городского трамвая.',
  'Через десять минут от ворот депо отправляется учебный вагон номер сто двенадцать.',
  'Маршрут проходит по набережной, через старый мост и возвращается к депо.',
  'Поездка занимает сорок минут. Детям до семи лет билет не нужен.',
  'Просим занять места заранее и держаться за поручни. Приятной поездки!',
].join(' ');

/** The video sample: how a tram moves, in four slides. */
export const LESSON: readonly Slide[] = [
  {
    title: 'Как едет трамвай',
    lines: ['Короткий урок', 'музея трамвая'],
    narration: ['Здравствуйте! За полминуты расскажем, как едет трамвай.'],
  },
  {
    title: 'Контактная сеть',
    lines: ['Провод над рельсами', 'Напряжение 600 В', 'Токоприёмник на крыше'],
    narration: [
      'Ток приходит по проводу над рельсами.',
      'Его напряжение шестьсот вольт, а снимает его токоприёмник на крыше.',
    ],
  },
  {
    title: 'Тяговый двигатель',
    lines: ['Ток крутит двигатель', 'Редуктор крутит колёса', 'Рельсы возвращают ток'],
    narration: ['Двигатель через редуктор вращает колёса.', 'По рельсам ток возвращается на подстанцию.'],
  },
  {
    title: 'Торможение',
    lines: ['Двигатель становится генератором', 'Энергия идёт обратно в сеть', 'Вагон останавливается мягко'],
    narration: [
      'При торможении двигатель работает как генератор.',
      'Энергия уходит обратно в сеть, и вагон мягко останавливается.',
    ],
  },
];
