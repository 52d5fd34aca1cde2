/** Requests trainings of recommendations in the cabinet, whatever is killed meanwhile. */
import type { Scenario, ScenarioDeps } from './scenarios.ts';
import { RefusedError } from './sender.ts';

/** Response while a training is running, because no other may begin. */
const UNDER_WAY = 422;

export function createTrainingScenario({ expected, sender, training }: ScenarioDeps): Scenario {
  return async () => {
    try {
      const { body } = await sender.write<{ id: string }>(training.cabinet, { method: 'POST', path: training.path });
      expected.trainings.add(body.id);
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== UNDER_WAY) throw error;
    }
  };
}
