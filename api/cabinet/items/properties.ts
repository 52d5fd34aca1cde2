/** Declared properties of a project's items: GET /projects/{id}/properties, PUT /projects/{id}/properties/{name}. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { listProperties, PROPERTIES_PER_PROJECT, putProperty } from '../../../db/items/properties.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { PROPERTY_TYPES } from '../../../domain/items/properties.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import { oneOf, strictObject, text } from '../../../domain/schemas/schema.ts';
import { define, pageOf, PROJECT_ID, ProjectPath } from '../cabinetOperation.ts';

const Property = Type.Object(
  { name: Type.String(), type: oneOf(PROPERTY_TYPES), filterable: Type.Boolean() },
  { title: 'Property' },
);
const PropertyPut = strictObject(
  {
    type: oneOf(PROPERTY_TYPES),
    filterable: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'По свойству можно фильтровать; новые записи объектов обязаны держать его тип',
      }),
    ),
  },
  { title: 'PropertyPut' },
);

const example = { name: 'level', type: 'string', filterable: true };

export const listProjectProperties = define({
  method: 'get',
  path: '/projects/{id}/properties',
  operationId: 'listProperties',
  tag: 'properties',
  summary: 'Описанные свойства объектов проекта',
  description: `Все на одной странице: их не больше ${PROPERTIES_PER_PROJECT}.`,
  params: ProjectPath,
  replies: {
    200: {
      description: 'Свойства по имени',
      schema: pageOf(Property, 'PropertyPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    return { status: 200, body: { items: await listProperties(pool, params.id), next_cursor: null } };
  },
});

export const putProjectProperty = define({
  method: 'put',
  path: '/projects/{id}/properties/{name}',
  operationId: 'putProperty',
  tag: 'properties',
  summary: 'Описать свойство или изменить описание',
  description: 'Действует на записи, которые придут после; уже сохранённые объекты не меняются. Имя — в кодировке URL.',
  params: strictObject({ id: PROJECT_ID, name: text(ID_MAX_LENGTH, { minLength: 1, examples: ['level'] }) }),
  body: { schema: PropertyPut, example: { type: 'string', filterable: true } },
  replies: {
    200: { description: 'Описание изменено', schema: Property, example },
    201: { description: 'Свойство описано', schema: Property, example },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    const property = { name: params.name, type: body.type, filterable: body.filterable ?? false };
    const outcome = await putProperty(pool, params.id, property);
    if (outcome === 'unknown_project') throw notFound();
    if (outcome === 'full') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: outcome === 'created' ? 201 : 200, body: property };
  },
});
