/**
 * The three files of the package `nsfwjs` 4.4.0 that the nudity classifier needs: a list of weights, and the weights.
 */
export const NUDITY_FILES = [
  { name: 'model.min.js', sha256: 'a7a9e701491e2449b221dab7c424957f853e700602b5575da33cfd745616f964' },
  { name: 'group1-shard1of2.min.js', sha256: 'f2e79a209e44d668220ec5f1533a98f2be954e3953685bf074d201b82fefc29a' },
  { name: 'group1-shard2of2.min.js', sha256: 'f291df992a0131741372506a6072fb9f1645bff7c973c983fd6276f5f9625d5e' },
] as const;

export const NUDITY_FILE_NAMES: readonly string[] = NUDITY_FILES.map(({ name }) => name);
