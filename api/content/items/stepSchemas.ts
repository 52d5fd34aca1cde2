/** The steps of an item's analysis in requests and responses. */
import Type from 'typebox';
import { mapSteps, NAMED_STEPS, STEP_STATES, STEPS } from '../../../domain/analysis/steps.ts';
import { nullable, oneOf, strictObject } from '../../../domain/schemas/schema.ts';

export const Processing = Type.Object(
  mapSteps(() => oneOf(STEP_STATES)),
  { title: 'Processing', description: 'Состояния шагов анализа' },
);

const StepErrorOut = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    media_position: Type.Optional(Type.Integer()),
  },
  { title: 'StepError' },
);

export const ProcessingErrors = Type.Partial(
  Type.Object(Object.fromEntries(STEPS.map((step) => [step, StepErrorOut]))),
  { description: 'Почему шаг не выполнен, отложен или пропущен; поля нет, когда объяснять нечего' },
);

export const ReprocessRequest = strictObject(
  { steps: Type.Optional(nullable(Type.Array(oneOf(NAMED_STEPS), { maxItems: 100 }))) },
  { title: 'ReprocessRequest' },
);
