/** A program from outside cannot be had or does not start. The message is one line that names the fix. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
