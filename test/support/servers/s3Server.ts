/**
 * A process that runs s3rver on a free port and prints the port. Arguments: the path of its module
 * (tools/scripts/engines/programs/s3Server.ts) and its data folder.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Store {
  deleteObject(bucket: string, key: string): Promise<void>;
}
interface Signature {
  getStringToSign(canonical: { uri: string }, request: unknown): string;
}
type S3rver = new (options: object) => { store: Store; run(): Promise<{ port: number }> };

const [module = '', directory = ''] = process.argv.slice(2);
const require = createRequire(module);
const S3rver = require(module) as S3rver;
signBucketsAsAmazonDoes(require(join(dirname(module), 'signature/v4.js')) as Signature);
const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory });
deleteInTurn(server.store);
process.stdout.write(`${(await server.run()).port}\n`);

/** Restores the last slash of `/bucket/`, which the server drops and Amazon's client requests and signs. */
function signBucketsAsAmazonDoes(signature: Signature): void {
  const { getStringToSign } = signature;
  signature.getStringToSign = (canonical, request) =>
    getStringToSign(
      { ...canonical, uri: /^\/[^/]+$/.test(canonical.uri) ? `${canonical.uri}/` : canonical.uri },
      request,
    );
}

/** Two concurrent deletions in one folder collide when the folder becomes empty, and the server answers 500. */
function deleteInTurn(store: Store): void {
  const deleteObject = store.deleteObject.bind(store);
  let last: Promise<unknown> = Promise.resolve();
  store.deleteObject = (bucket, key) => {
    const mine = last.then(() => deleteObject(bucket, key));
    last = mine.catch(() => {});
    return mine;
  };
}
