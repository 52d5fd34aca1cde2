/** Parts of item answers that several operations share. */
import Type from 'typebox';
import { mapSteps, STEP_STATES } from '../../domain/steps.ts';
import { oneOf, strictObject } from '../http/schema.ts';

export const ItemPath = strictObject({
  id: Type.String({ pattern: '^[A-Za-z0-9._:-]{1,191}$', description: 'Идентификатор объекта у клиента; другие идентификаторы передаются в пакете', examples: ['lesson-42'] }),
});

export const Processing = Type.Object(mapSteps(() => oneOf(STEP_STATES)), { title: 'Processing', description: 'Состояния шагов анализа' });
