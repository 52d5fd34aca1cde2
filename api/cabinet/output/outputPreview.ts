/** Shows what a person would be recommended: POST /projects/{id}/output/preview. */
import Type from 'typebox';
import { findProject } from '../../../db/accounts/projects.ts';
import { freeObject, oneOf, strictObject } from '../../../domain/schemas/schema.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { PREVIEW_ANSWERS, PREVIEW_PATHS } from './preview/runPreview.ts';
import { notFound } from '../../http/errors.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';

/** The request to preview, and the person. */
export const previewFields = {
  path: oneOf(PREVIEW_PATHS, { description: 'Путь content API без /recommendations/' }),
  request: freeObject({ description: 'Тело запроса этого пути' }),
  personalization: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false — как если бы пользователь отказался от персонализации; его исключения действуют',
    }),
  ),
};

export const previewProjectOutput = define({
  method: 'post',
  path: '/projects/{id}/output/preview',
  operationId: 'previewOutput',
  tag: 'output',
  summary: 'Посмотреть выдачу глазами любого человека',
  description:
    'Тот же ответ, что у content API, с explain. Ничего не запоминается и не считается: снимка нет, поэтому нет и следующей страницы. Ошибки запроса названы с путём request.',
  access: 'viewer',
  params: ProjectPath,
  body: {
    schema: strictObject(previewFields, { title: 'OutputPreview' }),
    maxBytes: MAX_OUTPUT_BYTES,
    example: { path: 'similar', request: { item: 'lesson-42', user: { user_id: 'user-7' }, surface: 'feed' } },
  },
  replies: {
    200: {
      description: 'Выдача',
      schema: Type.Unsafe({ anyOf: PREVIEW_ANSWERS }),
      example: {
        recommendation_id: 'r1c.3q2-7wAAAAAAAAAAAAAAAA',
        mode: 'contextual',
        model: 'builtin-embed-2',
        items: [
          {
            id: 'lesson-43',
            position: 0,
            score: 0.82,
            reason: { code: 'similar', item: 'lesson-42' },
            explain: { subject: 'lesson-42', cosine: 0.82, model: 'builtin-embed-2' },
          },
        ],
        next_cursor: null,
      },
    },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool, preview }) {
    const project = await findProject(pool, params.id);
    if (!project) throw notFound();
    const asked = { path: body.path, request: body.request, isPersonal: body.personalization ?? true };
    const caller = { projectId: project.id, fingerprints: project.fingerprints };
    return { status: 200, body: await preview(caller, asked) };
  },
});
