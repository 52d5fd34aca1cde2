/** One visit of a person: a plausible sequence of pages, with the actions on them. */
import type { Chance } from './chance.ts';
import type { Person } from './people.ts';
import { buy } from './purchase.ts';
import type { Trail } from './trail.ts';
import {
  CATEGORY_PAGES,
  HOME,
  INFO,
  LOGIN,
  POST_PAGES,
  PRODUCT_PAGES,
  type Page,
  type ProductPage,
} from './shop/site.ts';
import type { VisitFacts } from './visitFacts.ts';

const MAX_PAGES = 14;
/** Percentage of visitors who leave the first page within seconds. */
const BOUNCES_PERCENT = 34;
const CONTINUE_PROBABILITY = 0.72;

/** Fills the trail with the events of the visit. */
export function walk(trail: Trail, facts: VisitFacts): void {
  const { arrival, chance, person } = facts;
  trail.open(arrival.page, arrival.query, arrival.referrer);
  if (chance.percent(BOUNCES_PERCENT)) return trail.leave(chance.between(0, 30), chance.between(2, 14));
  act(trail, arrival.page, facts);
  let page = arrival.page;
  for (let left = chance.times(CONTINUE_PROBABILITY, MAX_PAGES - 1); left > 0; left--) {
    page = next(page, chance);
    trail.open(page);
    act(trail, page, facts);
  }
  if (person.userId === null && chance.percent(4)) logIn(trail, facts);
  if (trail.hasCart && chance.next() < 0.42 * person.interest) buy(trail, facts);
  else trail.leave(chance.between(20, 100), chance.between(5, 60));
}

/** Returns the next page: deeper into the shop, another post, or back up. */
function next(page: Page, chance: Chance): Page {
  const choices: (readonly [number, () => Page | undefined])[] = [
    [page.path.startsWith('/blog') ? 15 : 45, () => PRODUCT_PAGES[chance.zipf(PRODUCT_PAGES.length)]],
    [20, () => CATEGORY_PAGES[chance.zipf(CATEGORY_PAGES.length)]],
    [page.path.startsWith('/blog') ? 40 : 8, () => POST_PAGES[chance.zipf(POST_PAGES.length)]],
    [6, () => chance.pick(INFO)],
    [5, () => HOME],
  ];
  return chance.weighted(choices)() ?? HOME;
}

function act(trail: Trail, page: Page, { chance, person }: VisitFacts): void {
  trail.stay(chance.between(4, 30) * (page.path.startsWith('/blog') ? 3 : 1));
  if (chance.percent(55)) trail.add({ type: 'scroll', depth: chance.pick([25, 50, 75, 100]) });
  if (chance.percent(40)) trail.add(click(chance));
  if (chance.percent(2))
    trail.add({
      type: 'outbound',
      target: chance.pick(['https://vk.com/samovar', 'https://t.me/samovar', 'https://maps.example/samovar']),
    });
  if (chance.percent(1.5)) trail.add({ type: 'download', target: `${trail.origin}/files/catalogue.pdf` });
  if (chance.percent(1.2)) trail.add({ type: 'form', name: chance.percent(70) ? 'newsletter' : 'question' });
  if (chance.percent(0.8))
    trail.add({ type: 'goal', name: 'callback', params: { topic: chance.pick(['delivery', 'wholesale']) } });
  if ('product' in page) look(trail, page as ProductPage, chance, person);
  if (chance.percent(3)) trail.add({ type: 'ping' });
}

function look(trail: Trail, { product, variants }: ProductPage, chance: Chance, person: Person): void {
  if (chance.next() >= 0.11 * person.interest) return;
  const qty = 1 + chance.times(0.25, 4);
  trail.cart({ ...product, qty, ...(variants.length > 0 && { variant: chance.pick(variants) }) });
  trail.add({ type: 'event', name: 'add_to_cart', params: { product: product.id, price: product.price, qty } });
}

function click(chance: Chance): { type: 'click'; x: number; y: number; selector: string } {
  const selector = chance.pick(['nav > a.catalog', 'button.buy', 'a.product', 'img.photo', 'footer a', 'a.related']);
  return { type: 'click', x: chance.between(20, 1000), y: chance.between(40, 2600), selector };
}

/** Logs in with an e-mail address in a domain that nobody owns; the intake keeps a keyed hash of it. */
function logIn(trail: Trail, { person, chance, visitIndex }: VisitFacts): void {
  const number = chance.digits(7);
  Object.assign(person, { userId: `u${number}` });
  trail.open(LOGIN);
  trail.stay(chance.between(5, 25));
  const user: Record<string, unknown> = { user_id: `u${number}`, email: `client${number}@mail.example` };
  if (chance.percent(60)) user['gender'] = chance.percent(62) ? 'female' : 'male';
  if (chance.percent(40)) user['age'] = chance.between(18, 70);
  if (visitIndex % 3 === 0) user['interests'] = [chance.pick(['Зелёный чай', 'Пуэр', 'Посуда'])];
  trail.add({ type: 'user', user });
}
