/** Whether the second factor of a login is right. */
import type pg from 'pg';
import { findSecondFactor, useRecoveryCode, useTotpStep } from '../../db/secondFactor.ts';
import { decryptSecret, encryptSecret, totpSecretPlace } from '../../domain/secretKeys.ts';
import { findTotpStep, recoveryCodeHash } from '../../domain/totp.ts';
import { HttpError } from '../http/errors.ts';

export interface SecondFactors {
  /** How a secret is stored for a user. */
  seal(secret: Buffer, userId: string): Buffer;
  open(stored: Buffer, userId: string): Buffer;
}

/** @param key of purpose `totp-secrets` */
export function createSecondFactors(key: Buffer): SecondFactors {
  return {
    seal: (secret, userId) => encryptSecret(key, secret.toString('base64'), totpSecretPlace(userId)),
    open: (stored, userId) => Buffer.from(decryptSecret(key, stored, totpSecretPlace(userId)), 'base64'),
  };
}

/**
 * Uses up the code, of an authenticator or a recovery code; a user without a second factor needs none.
 * @throws {HttpError} 401 with `code` in its details: required, or wrong or used before
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
