/** Finds the command, runs it, and reports the result. */
import type { Env } from '../../../config.ts';
import { TooManyKeysError } from '../../../db/sites/siteKeys.ts';
import { backupCommands } from './backups.ts';
import { parseOptions, type Command } from './command.ts';
import { openContext } from './context.ts';
import { deletionCommands } from './deletions.ts';
import { keyCommands } from './keys.ts';
import { projectCommands } from './projects.ts';
import { siteKeyCommands } from './siteKeys.ts';
import { siteCommands } from './sites.ts';
import { tokenCommands } from './tokens.ts';
import { UsageError } from './usageError.ts';
import { userCommands } from './users.ts';
import { webhookCommands } from './webhooks.ts';

const COMMANDS: readonly Command[] = [
  ...projectCommands,
  ...keyCommands,
  ...siteCommands,
  ...siteKeyCommands,
  ...userCommands,
  ...tokenCommands,
  ...webhookCommands,
  ...deletionCommands,
  ...backupCommands,
];

export interface Outcome {
  /** 0 success, 1 failure, 2 wrong usage. */
  code: 0 | 1 | 2;
  lines: string[];
}

/**
 * @param args the words after `npm run admin --`.
 * @param readInput reads the whole standard input
 */
export async function runAdmin(
  args: readonly string[],
  env: Env,
  readInput: () => Promise<string> = readNothing,
): Promise<Outcome> {
  if (asksForHelp(args)) return { code: 0, lines: helpLines() };
  try {
    return { code: 0, lines: await carryOut(args, env, readInput) };
  } catch (error) {
    if (error instanceof UsageError || error instanceof TooManyKeysError) return { code: 2, lines: [error.message] };
    return { code: 1, lines: [describeFault(error)] };
  }
}

/** `help` may be a value of an option as well, which comes later. */
function asksForHelp(args: readonly string[]): boolean {
  if (args.length === 0 || args.slice(0, 2).includes('help')) return true;
  return args.some((word) => word === '--help' || word === '-h');
}

async function readNothing(): Promise<string> {
  return '';
}

async function carryOut(args: readonly string[], env: Env, readInput: () => Promise<string>): Promise<string[]> {
  const command = COMMANDS.find(({ name }) => name === args.slice(0, wordsIn(name)).join(' '));
  if (command === undefined)
    throw new UsageError(`there is no command "${args.slice(0, 2).join(' ')}": npm run admin -- help`);
  const values = parseOptions(command, args.slice(wordsIn(command.name)));
  const context = { ...(await openContext(env)), readInput };
  try {
    return await command.run(context, values);
  } finally {
    await context.pool.end();
  }
}

function wordsIn(name: string): number {
  return name.split(' ').length;
}

function helpLines(): string[] {
  return [
    'npm run admin -- COMMAND',
    '',
    ...COMMANDS.flatMap(({ name, usage, about }) => [`  ${name} ${usage}`.trimEnd(), `      ${about}`]),
    '',
    'The commands work on the database of DATABASE_URL, or on that of the stack that npm start runs on ATTUNE_DATA_DIR (data/).',
  ];
}

/** Describes an error. A refused connection is an AggregateError without a message of its own. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeFault).join('; ');
  return error.message;
}
