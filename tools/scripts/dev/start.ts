/** `npm start`: runs all of Attune on one machine, on loopback. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { compileCache } from '../engines/fetch/compileCache.ts';

const root = join(import.meta.dirname, '../../..');
const { argv, stdout, stderr } = process;
// The services inherit it, and everything that is loaded here from now on uses it as well.
const env = { ...process.env, ...(await compileCache(process.env)) };
if (env.NODE_COMPILE_CACHE) enableCompileCache(env.NODE_COMPILE_CACHE);
const [{ launch }, { SERVICES }] = await Promise.all([import('./launch.ts'), import('./services/services.ts')]);
process.exit(await launch({ root, servicesRoot: root, services: SERVICES, env, args: argv.slice(2), stdout, stderr }));
