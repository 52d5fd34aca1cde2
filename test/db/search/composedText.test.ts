import { expect, it } from '@jest/globals';
import { composedText } from '../../../db/search/composedText.ts';
import { fold } from '../../../output/search/text/indexedWords.ts';
import { stageApi } from '../../api/support/stageApi.ts';

const stage = stageApi();

// proves: search/languages
it('PostgreSQL composes texts as the index does, also where letters and diacritics are separate characters', async () => {
  const texts = ['Ёлка', 'Трамвай', 'за\u0301мок', 'Вело\u00ADсипед', 'CAFÉ', 'A\u200DB', ''];
  const all = texts.flatMap((text) => [text, text.normalize('NFD')]);
  const { rows } = await stage.database.pool.query<{ composed: string }>(
    `select ${composedText('t.text')} as composed from unnest($1::text[]) with ordinality as t (text, place) order by place`,
    [all],
  );
  expect(rows.map(({ composed }) => composed.toLowerCase().replaceAll('ё', 'е'))).toEqual(all.map(fold));
});
