/** Checks the second factor of a login. */
import type pg from 'pg';
import { findSecondFactor, useRecoveryCode, useTotpStep } from '../../db/accounts/secondFactor.ts';
import { decryptSecret, encryptSecret, totpSecretContext } from '../../domain/accounts/secretKeys.ts';
import { findTotpStep, recoveryCodeHash } from '../../domain/accounts/totp.ts';
import { HttpError } from '../http/errors.ts';

export interface SecondFactors {
  /** Encryption of a user's secret for storage. */
  seal(secret: Buffer, userId: string): Buffer;
  open(stored: Buffer, userId: string): Buffer;
}

/** @param key the derived key `totp-secrets` */
export function createSecondFactors(key: Buffer): SecondFactors {
  return {
    seal: (secret, userId) => encryptSecret(key, secret.toString('base64'), totpSecretContext(userId)),
    open: (stored, userId) => Buffer.from(decryptSecret(key, stored, totpSecretContext(userId)), 'base64'),
  };
}

/**
 * Checks and uses up the code of an authenticator, or a recovery code; a user without a second factor needs none.
 * @throws {HttpError} 401 with `code` in its details: missing, wrong, or used before
 */
export async function requireSecondFactor(
  { pool, secondFactors }: { pool: pg.Pool; secondFactors: SecondFactors },
  userId: string,
  code: string | undefined,
): Promise<void> {
  const factor = await findSecondFactor(pool, userId);
  if (!factor?.isOn) return;
  if (code === undefined) throw refused('required');
  const step = findTotpStep(secondFactors.open(factor.secret, userId), code.trim(), Date.now());
  const isGood =
    step === null ? await useRecoveryCode(pool, userId, recoveryCodeHash(code)) : await useTotpStep(pool, userId, step);
  if (!isGood) throw refused('invalid_value');
}

function refused(code: 'required' | 'invalid_value'): HttpError {
  return new HttpError(401, 'unauthorized', { details: [{ field: 'code', code }] });
}
