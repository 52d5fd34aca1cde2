/** The file of the package `silero-vad` 6.2.3 that the voice detector needs. */
export const VOICE_FILE = {
  name: 'silero_vad_16k_op15.onnx',
  sha256: '7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49',
} as const;
