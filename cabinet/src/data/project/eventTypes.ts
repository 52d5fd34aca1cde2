/** Titles and properties of event types. */
import { exhaustiveList } from '../exhaustiveList.ts';
import type { Words } from '../../words/en/index.ts';
import type { EventType } from './projectSettings.ts';

/** The ways in which events of a type may count. */
export type Flag = Exclude<BooleanField, 'is_active'>;
export const FLAGS = exhaustiveList<Flag>({
  is_impression: true,
  is_open: true,
  is_goal: true,
  is_purchase: true,
  hides_item: true,
});
type BooleanField = { [Field in keyof EventType]: EventType[Field] extends boolean ? Field : never }[keyof EventType];

export const flagsOf = (type: EventType): Flag[] => FLAGS.filter((flag) => type[flag]);

type Named = Pick<EventType, 'code' | 'title'>;

/** The server's titles of event types in a new project; a test checks that they equal domain/events/eventTypes.ts. */
const DEFAULT_TITLES: Readonly<Record<string, string>> = {
  impression: 'Показ',
  open: 'Открытие',
  view: 'Просмотр',
  watch: 'Время просмотра',
  like: 'Нравится',
  dislike: 'Не нравится',
  favourite: 'В избранном',
  share: 'Поделились',
  comment: 'Комментарий',
  hide: 'Скрыто',
  cart: 'В корзине',
  purchase: 'Покупка',
};

/** Returns the title of a type, in the language of the page unless somebody has renamed it. */
export function titleOfType({ code, title }: Named, { events }: Words): string {
  return title === DEFAULT_TITLES[code] ? (events.firstTitles[code] ?? title) : title;
}

/** Returns the titles of some types by their codes. */
export function typeTitles(types: readonly Named[], words: Words): Map<string, string> {
  return new Map(types.map((type) => [type.code, titleOfType(type, words)]));
}
