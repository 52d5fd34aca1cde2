/** Synonyms of a project's searches: GET/PUT /projects/{id}/synonyms. */
import Type from 'typebox';
import { putSynonyms, readSynonyms } from '../../../db/search/storedSynonyms.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { MAX_SYNONYM_ROWS, MAX_SYNONYM_WORDS } from '../../../domain/search/synonymLimits.ts';
import { strictObject, text } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';

const MAX_WORD_LENGTH = 100;
/** Size limit of the list: a thousand rows with twenty words on both sides, each of sixty Cyrillic letters. */
const MAX_BYTES = 5 * 1024 * 1024;

const word = text(MAX_WORD_LENGTH, { minLength: 1, pattern: '[\\p{L}\\p{N}]' });

const SynonymRow = strictObject(
  {
    words: Type.Array(word, { minItems: 1, maxItems: MAX_SYNONYM_WORDS, description: 'Слова или словосочетания' }),
    to: Type.Optional(
      Type.Array(word, {
        minItems: 1,
        maxItems: MAX_SYNONYM_WORDS,
        description: 'Что находят и они; без этого поля все words заменяют друг друга',
      }),
    ),
  },
  { title: 'SynonymRow' },
);
const Synonyms = strictObject(
  { synonyms: Type.Array(SynonymRow, { maxItems: MAX_SYNONYM_ROWS }) },
  { title: 'Synonyms' },
);

const example = {
  synonyms: [{ words: ['стиралка', 'стиральная машина'] }, { words: ['обувь'], to: ['кроссовки', 'ботинки'] }],
};

export const getProjectSynonyms = define({
  method: 'get',
  path: '/projects/{id}/synonyms',
  operationId: 'getSynonyms',
  tag: 'output',
  summary: 'Синонимы поиска',
  params: ProjectPath,
  replies: { 200: { description: 'Все синонимы проекта', schema: Synonyms, example } },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    return { status: 200, body: { synonyms: (await readSynonyms(pool, params.id)).synonyms } };
  },
});

export const putProjectSynonyms = define({
  method: 'put',
  path: '/projects/{id}/synonyms',
  operationId: 'putSynonyms',
  tag: 'output',
  summary: 'Заменить синонимы поиска целиком',
  description: 'Действуют со следующего поискового запроса. Слова сравниваются по основам, без регистра, ё как е.',
  params: ProjectPath,
  body: { schema: Synonyms, maxBytes: MAX_BYTES, example },
  replies: { 200: { description: 'Синонимы заменены', schema: Synonyms, example } },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    if (!(await putSynonyms(pool, params.id, body.synonyms))) throw notFound();
    return { status: 200, body };
  },
});
