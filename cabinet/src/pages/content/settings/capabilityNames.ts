import type { cabinet } from '../../../data/client.ts';
import type { Words } from '../../../words/en/index.ts';

type Capability = cabinet.ProviderCheck['capability'];

/** Returns the names of what providers are paid for, by capability; a capability without a step has its own text. */
export function capabilityNames({ steps, settings: { volume } }: Words): Readonly<Record<string, string>> {
  return { ...steps, moderation: volume.moderation, pictures: volume.pictures } satisfies Record<Capability, string>;
}
