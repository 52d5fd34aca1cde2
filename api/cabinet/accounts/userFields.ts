/** Fields of users that several operations share, and password checks. */
import Type from 'typebox';
import { PASSWORD_LENGTH } from '../../../domain/accounts/passwords.ts';
import { ROLES } from '../../../domain/accounts/roles.ts';
import { TooManyPasswordsError, type PasswordHasher } from '../../../platform/process/passwordHasher.ts';
import { unavailable } from '../../http/errors.ts';
import { oneOf } from '../../../domain/schemas/schema.ts';

export const ROLE = oneOf(ROLES);

/**
 * Only sending a mail can show whether an address works. Internationalised names are in their xn-- form. RFC 5321
 * allows 254 characters.
 */
export const email = Type.String({
  maxLength: 254,
  pattern: '^[!-?A-~]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$',
  description: 'Строчные и прописные буквы не различаются',
});

export const password = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });

/** Returns the form in which an e-mail is stored and looked up. */
export function readEmail(text: string): string {
  return text.toLowerCase();
}

/**
 * Checks a password. It takes the same time for an unknown user.
 * @throws {HttpError} 503 when too many checks are running
 */
export async function checkPassword(
  { passwords }: { passwords: PasswordHasher },
  given: string,
  stored: string | null,
): Promise<boolean> {
  return unavailableWhenBusy(passwords.verify(given, stored));
}

/** @throws {HttpError} 503 when too many hashes are being computed */
export async function hashPassword({ passwords }: { passwords: PasswordHasher }, given: string): Promise<string> {
  return unavailableWhenBusy(passwords.hash(given));
}

async function unavailableWhenBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TooManyPasswordsError) throw unavailable(error);
    throw error;
  }
}
