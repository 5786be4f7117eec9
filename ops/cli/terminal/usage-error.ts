/** A command was given something that there is not. Exit code 2, as for any wrong usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
