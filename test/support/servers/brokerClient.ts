/** Requests a server or a program from the run's broker (broker.ts). */
import { request } from 'node:http';

/** Set by globalSetup.ts for the test processes. */
export const BROKER_VARIABLE = 'ATTUNE_TEST_BROKER';

/** Uses node:http because a first download may take longer than fetch waits for headers. */
function get(port: string, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    });
    call.on('error', reject).end();
  });
}

/** @throws {Error} with the broker's message when it cannot provide what was requested */
export async function askBroker<T>(path: string): Promise<T> {
  const port = process.env[BROKER_VARIABLE];
  if (port === undefined) throw new Error('this runs in Jest only: globalSetup.ts starts the broker');
  const { status, body } = await get(port, path);
  if (status !== 200) throw new Error(body);
  return JSON.parse(body) as T;
}
