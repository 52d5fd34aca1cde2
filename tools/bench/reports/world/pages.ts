/** The pages of every site: 20,000, of which few get most of the attention; names with letters of two alphabets. */
import type { LakeConnection } from '../../../../reports/lake/connection.ts';

export const PAGES = 20_000;
export const ORIGIN = 'https://shop.example.com';

const CATEGORIES = `['green', 'black', 'oolong', 'puer', 'herbal', 'ware', 'gifts', 'sale', 'accessories', 'sweets', 'coffee', 'honey']`;

/** Creates `pages(page, path, title)`, by popularity. */
export async function createPages(connection: LakeConnection): Promise<void> {
  await connection.query(`create or replace temp table pages as
    select n::INTEGER as page,
           case when n = 0 then '/'
                when n <= 12 then '/catalog/' || ${CATEGORIES}[n] || '/'
                when n % 4 = 0 then '/blog/' || (2018 + n % 9) || '/how-to-choose-and-brew-' || n
                when n % 97 = 0 then '/Каталог/подарок-' || n
                else '/catalog/' || ${CATEGORIES}[1 + n % 12] || '/brand-' || (n % 60) || '/item-' || n end as path,
           case when n = 0 then 'Самовар: чай и посуда' when n % 4 = 0 then 'Как выбрать и заварить, часть ' || n || ' — блог Самовар' else 'Чай номер ' || n || ': купить — Самовар' end as title
      from range(${PAGES}) r (n)`);
}
