/** `node test/clients/webhooks/record.ts` rewrites requests.json after a change of the sender's requests. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';
import { record } from './recording.ts';

const recording = await record();
const lines = (list: unknown[]): string => list.map((each) => `    ${JSON.stringify(each)}`).join(',\n');
const { secret, good, bad } = recording;
const text = `{\n  "secret": ${JSON.stringify(secret)},\n  "good": [\n${lines(good)}\n  ],\n  "bad": [\n${lines(bad)}\n  ]\n}\n`;
await writeFile(join(import.meta.dirname, 'requests.json'), text);
await cleanUp();
