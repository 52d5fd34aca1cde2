/** `npm run admin`: commands for an operator, for example before the cabinet can be used. */
import { text } from 'node:stream/consumers';
import { runAdmin } from './admin/run.ts';

const { code, lines } = await runAdmin(process.argv.slice(2), process.env, () => text(process.stdin));
(code === 0 ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
process.exitCode = code;
