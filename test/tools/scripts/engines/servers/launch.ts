/** A separate launcher for the tests: starts PostgreSQL, prints its URL and process id, and waits. */
import { startPostgres } from '../../../../../tools/scripts/engines/servers/postgres.ts';

const [binDir, dataDir, port] = process.argv.slice(2);
if (binDir === undefined || dataDir === undefined) throw new Error('usage: launch.ts BIN DATA PORT');
const server = await startPostgres({ binDir, dataDir, port: Number(port), report: console.error, disposable: true });
console.log(JSON.stringify({ url: server.url, pid: server.pid }));
process.stdin.resume().on('end', () => void server.stop());
