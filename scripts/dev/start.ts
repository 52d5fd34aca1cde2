/** `npm start`: the whole of Attune on one machine, on loopback. */
import { join } from 'node:path';
import { launch } from './launch.ts';
import { SERVICES } from './services.ts';

const root = join(import.meta.dirname, '../..');
const { env, argv, stdout, stderr } = process;
process.exit(await launch({ root, servicesRoot: root, services: SERVICES, env, args: argv.slice(2), stdout, stderr }));
