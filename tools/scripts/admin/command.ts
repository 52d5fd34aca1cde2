/** The definition of a command of `npm run admin`. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { AdminContext } from './context.ts';
import { UsageError } from './usageError.ts';

export type Options = NonNullable<ParseArgsConfig['options']>;
export type Values = Record<string, string | undefined>;

export interface Command {
  /** `project add`, or a single word for a command without a noun: `replay-deletions`. */
  name: string;
  /** Its options, as shown in the help. */
  usage: string;
  about: string;
  options: Options;
  /** @returns lines to print. */
  run(context: AdminContext, values: Values): Promise<string[]>;
}

/** Parses a command's options. @throws {UsageError} naming the mistake and the usage. */
export function parseOptions(command: Command, args: readonly string[]): Values {
  try {
    return parseArgs({ args: [...args], options: command.options, strict: true, allowPositionals: false })
      .values as Values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}: write ${command.name} ${command.usage}`, {
      cause: error,
    });
  }
}

/** Returns a mandatory value. */
export function required(command: Pick<Command, 'name' | 'usage'>, values: Values, option: string): string {
  const value = values[option]?.trim() ?? '';
  if (value !== '') return value;
  throw new UsageError(`--${option} is missing: write ${command.name} ${command.usage}`);
}
