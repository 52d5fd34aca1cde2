import { expect, it } from '@jest/globals';
import { foldedText } from '../../../db/search/foldedText.ts';
import { fold } from '../../../output/search/text/indexedWords.ts';
import { stageApi } from '../../api/support/stageApi.ts';

const stage = stageApi();

// proves: search/languages
it('PostgreSQL folds texts as the index does, also where letters and diacritics are separate characters', async () => {
  const texts = ['Ёлка', 'Трамвай', 'за\u0301мок', 'Вело\u00ADсипед', 'CAFÉ', 'A\u200DB', ''];
  const all = texts.flatMap((text) => [text, text.normalize('NFD')]);
  const { rows } = await stage.database.pool.query<{ folded: string }>(
    `select ${foldedText('t.text')} as folded from unnest($1::text[]) with ordinality as t (text, place) order by place`,
    [all],
  );
  expect(rows.map(({ folded }) => folded)).toEqual(all.map(fold));
});
