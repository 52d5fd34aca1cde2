/** `npm run admin`: what an operator does before there is a cabinet to click in. */
import { runAdmin } from './admin/run.ts';

const { code, lines } = await runAdmin(process.argv.slice(2), process.env);
(code === 0 ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
process.exitCode = code;
