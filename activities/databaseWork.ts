/** Database work of workflows that is retried until the database is back. */
import { ApplicationFailure } from '@temporalio/common';
import { isPermanentDatabaseError } from '../db/errors.ts';
import { retryableFailure } from './analysisFaults.ts';

/**
 * Does not retry a statement that can never succeed: it is a bug, and must fail visibly. Its message stays out of
 * histories.
 */
export async function databaseWork<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isPermanentDatabaseError(error))
      throw ApplicationFailure.nonRetryable('a database statement was refused', 'DatabaseFault');
    throw retryableFailure(error);
  }
}
