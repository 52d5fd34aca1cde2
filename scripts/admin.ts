/** `npm run admin`: what an operator does before there is a cabinet to click in. */
import { text } from 'node:stream/consumers';
import { runAdmin } from './admin/run.ts';

const { code, lines } = await runAdmin(process.argv.slice(2), process.env, () => text(process.stdin));
(code === 0 ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
process.exitCode = code;
