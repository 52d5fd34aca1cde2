/** Error for an external program that is unavailable or does not start. The message is one line that names the fix. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
