import type { cabinet } from '../../../data/client.ts';
import type { Words } from '../../../words/en/index.ts';

type Capability = cabinet.ProviderCheck['capability'];

/**
 * Returns the names of the capabilities that providers are paid for: the name of the step, or a separate text if the
 * capability has no step.
 */
export function capabilityNames({ steps, settings: { volume } }: Words): Readonly<Record<string, string>> {
  return { ...steps, moderation: volume.moderation, pictures: volume.pictures } satisfies Record<Capability, string>;
}
