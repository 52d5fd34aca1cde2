/** Error for a command with wrong usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
