/** Commands for the installation's own cabinet tokens. People create theirs in the cabinet. */
import {
  insertToken,
  listTokens,
  revokeToken,
  TOKEN_DAYS,
  type StoredToken,
} from '../../../db/accounts/cabinetTokens.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { ROLES } from '../../../domain/accounts/roles.ts';
import { required, type Command } from './command.ts';
import { UsageError } from './usageError.ts';
import { isUuidInAnyCase } from '../../../domain/uuid.ts';

const DEFAULT_NAME = 'admin';
const PAGE = 200;
const INSTALLATION = null;

const addToken: Command = {
  name: 'token add',
  usage: `[--role ${ROLES.toReversed().join('|')}] [--name NAME] [--days 1–${TOKEN_DAYS.max}]`,
  about: `creates a token of the installation and prints it, once; by default it has the role admin and lasts ${TOKEN_DAYS.max} days`,
  options: { role: { type: 'string' }, name: { type: 'string' }, days: { type: 'string' } },
  async run({ pool }, values) {
    const role = ROLES.find((known) => known === (values.role ?? 'admin'));
    if (role === undefined)
      throw new UsageError(`--role "${values.role}" is not one of ${ROLES.toReversed().join(', ')}`);
    const days = readDays(values.days);
    const token = newKey('cabinet');
    const name = values.name?.trim() || DEFAULT_NAME;
    const { id, expiresAt } = await insertToken(pool, { name, role, days, ...storedKey(token) });
    return [
      `id    ${id}`,
      `token ${token}`,
      `ends  ${expiresAt.toISOString()}`,
      'The token is not stored and cannot be shown again.',
    ];
  },
};

const showTokens: Command = {
  name: 'token list',
  usage: '',
  about: "prints id, prefix, state and name of the installation's tokens",
  options: {},
  async run({ pool }) {
    const lines: string[] = [];
    for (let after: string | null = null; ;) {
      const page: StoredToken[] = await listTokens(pool, INSTALLATION, { after, limit: PAGE });
      lines.push(
        ...page.map(
          ({ id, prefix, revokedAt, expiresAt, name }) =>
            `${id}  ${prefix}…  ${stateOf(revokedAt, expiresAt)}  ${name}`,
        ),
      );
      after = page.at(-1)?.id ?? null;
      if (page.length < PAGE) return lines.length > 0 ? lines : ['no tokens yet'];
    }
  },
};

const revoke: Command = {
  name: 'token revoke',
  usage: '--token TOKEN_ID',
  about: 'revokes a token for good; TOKEN_ID is in the first column of token list',
  options: { token: { type: 'string' } },
  async run({ pool }, values) {
    const id = required(revoke, values, 'token');
    const isKnown = isUuidInAnyCase(id) && (await revokeToken(pool, INSTALLATION, id));
    if (!isKnown)
      throw new UsageError(`the installation has no token with the id ${id.slice(0, 36)}: npm run admin -- token list`);
    return [`revoked ${id}`];
  },
};

function readDays(text: string | undefined): number {
  const days = Number(text ?? TOKEN_DAYS.max);
  if (Number.isInteger(days) && days >= 1 && days <= TOKEN_DAYS.max) return days;
  throw new UsageError(`--days "${text}" is not a whole number from 1 to ${TOKEN_DAYS.max}`);
}

function stateOf(revokedAt: Date | null, expiresAt: Date): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= new Date() ? 'ended  ' : 'valid  ';
}

export const tokenCommands: readonly Command[] = [addToken, showTokens, revoke];
