import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';

/** The id in the path of a request; other ids can only be sent in a batch. */
export const ItemPath = strictObject({
  id: Type.String({
    pattern: `^[A-Za-z0-9._:-]{1,${ID_MAX_LENGTH}}$`,
    description: 'Идентификатор объекта у клиента; другие идентификаторы передаются в пакете',
    examples: ['lesson-42'],
  }),
});
