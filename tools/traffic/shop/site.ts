/** The generated site: a tea shop with a blog. Lists are sorted by popularity. */

export interface Page {
  path: string;
  title: string;
}

export interface ProductPage extends Page {
  product: { id: string; name: string; category: string; brand: string; price: number };
  variants: readonly string[];
}

const SHOP = 'Самовар';

const CATEGORIES = [
  {
    code: 'green',
    name: 'Зелёный чай',
    kinds: ['Сенча', 'Лунцзин', 'Ганпаудер', 'Гёкуро', 'Билочунь', 'Маофэн', 'Ходзича', 'Банча'],
  },
  {
    code: 'black',
    name: 'Чёрный чай',
    kinds: ['Ассам', 'Цейлон', 'Дарджилинг', 'Кимун', 'Эрл Грей', 'Лапсанг', 'Нилгири', 'Кения'],
  },
  {
    code: 'oolong',
    name: 'Улун',
    kinds: ['Те Гуань Инь', 'Да Хун Пао', 'Дун Дин', 'Алишань', 'Габа', 'Молочный улун'],
  },
  { code: 'puer', name: 'Пуэр', kinds: ['Шу Пуэр', 'Шэн Пуэр', 'Гунтин', 'Лао Ча Тоу', 'Точа'] },
  { code: 'herbal', name: 'Травяной чай', kinds: ['Иван-чай', 'Ромашка', 'Мята', 'Ройбуш', 'Каркаде', 'Чабрец'] },
  { code: 'ware', name: 'Посуда', kinds: ['Гайвань', 'Чайник глиняный', 'Пиала', 'Чабань', 'Термос', 'Самовар'] },
] as const;

const BRANDS = ['Samovar', 'Юньнань', 'Краснодарский', 'Hill & Leaf', 'Чайный дом'] as const;

const POSTS = [
  'Как заваривать пуэр',
  'Чем зелёный чай отличается от чёрного',
  'Пять ошибок при заваривании',
  'Чайная церемония дома',
  'Вода для чая',
  'Как хранить чай',
  'Улун: с чего начать',
  'История самовара',
  'Иван-чай: польза и вред',
  'Какой чай пить вечером',
  'Чай и кофеин',
  'Гайвань или чайник',
  'Что такое рассыпной чай',
  'Чай из Краснодара',
  'Как читать этикетку',
  'Чай в подарок',
  'Холодный чай летом',
  'Чай с молоком',
  'Глина из Исина',
  'Сколько раз заваривать',
] as const;

export const HOME: Page = { path: '/', title: `${SHOP}: чай и посуда` };
export const CART: Page = { path: '/cart', title: 'Корзина' };
export const CHECKOUT: Page = { path: '/checkout', title: 'Оформление заказа' };
export const THANKS: Page = { path: '/thanks', title: 'Спасибо за заказ' };
export const SALE: Page = { path: '/sale', title: 'Скидки недели' };
export const LOGIN: Page = { path: '/login', title: 'Вход' };
export const INFO: readonly Page[] = [
  { path: '/delivery', title: 'Доставка и оплата' },
  { path: '/contacts', title: 'Контакты' },
  { path: '/about', title: 'О магазине' },
  { path: '/reviews', title: 'Отзывы' },
];

export const CATEGORY_PAGES: readonly Page[] = CATEGORIES.map(({ code, name }) => ({
  path: `/catalog/${code}`,
  title: `${name} — ${SHOP}`,
}));

export const PRODUCT_PAGES: readonly ProductPage[] = BRANDS.flatMap((brand, brandIndex) =>
  CATEGORIES.flatMap(({ code, name: category, kinds }, categoryIndex) =>
    kinds.map((kind, kindIndex): ProductPage => {
      const id = `${code}-${brandIndex + 1}${kindIndex + 1}`;
      const isWare = code === 'ware';
      const price =
        (isWare ? 890 : 290) + 10 * ((brandIndex * 37 + categoryIndex * 23 + kindIndex * 41) % (isWare ? 400 : 90));
      return {
        path: `/catalog/${code}/${id}`,
        title: `${kind} ${brand}: купить — ${SHOP}`,
        product: { id, name: `${kind} ${brand}`, category: `${isWare ? 'Посуда' : 'Чай'}/${category}`, brand, price },
        variants: isWare ? [] : ['50 г', '100 г', '250 г'],
      };
    }),
  ),
);

export const POST_PAGES: readonly Page[] = POSTS.map((title, index) => ({
  path: `/blog/${index + 1}`,
  title: `${title} — блог ${SHOP}`,
}));

/** Returns the search phrase that leads to a page, for engines that report it. */
export function phraseFor(page: Page): string {
  return page.title.replace(/( — .*|: .*)$/, '').toLowerCase();
}

export const PROMO_CODES: readonly string[] = ['CHAI10', 'LETO', 'PODAROK'];
