/** Hosts that redirect a fetch or send too much, and addresses that lead inside. */
import type { RequestListener } from 'node:http';
import { pour } from '../../platform/outgoing/support/servers.ts';
import { gzipOfZeros } from './files.ts';
import type { Host, HostileInput } from './hostileInput.ts';

const host = (name: string, becomes: string, serve: (host: Host) => RequestListener): HostileInput => ({
  name,
  becomes,
  medium: { kind: 'image', serve },
});
const leadingTo =
  (target: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location: target }).end();

export const HOSTILE_HOSTS: readonly HostileInput[] = [
  host('a redirect to the address of a cloud’s secrets', 'forbidden_address', () =>
    leadingTo('http://169.254.169.254/latest/meta-data/'),
  ),
  host('a redirect to a server of the machine', 'forbidden_address', ({ insideUrl }) => leadingTo(insideUrl)),
  host('a redirect to a file', 'forbidden_address', () => leadingTo('file:///etc/passwd')),
  host(
    'a redirect to itself, without end',
    'media_redirect',
    () => (request, response) => void response.writeHead(302, { location: `${request.url}/x` }).end(),
  ),
  host(
    'an answer that promises 100 TB',
    'media_too_large',
    () => (_request, response) => void response.writeHead(200, { 'content-length': 1e14 }).write('x'),
  ),
  host('an answer without end', 'media_too_large', () => (_request, response) => pour(response.writeHead(200))),
  host(
    'an answer packed by the server, 100 MB of zeros',
    'unsupported_media',
    () => (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'image/png' }).end(gzipOfZeros()),
  ),
  {
    name: 'a name that leads to an internal address',
    becomes: 'forbidden_address',
    medium: { kind: 'image', url: 'https://inside.test/a.png' },
  },
  {
    name: 'an internal address in an unusual notation',
    becomes: '422 validation_failed',
    medium: { kind: 'image', url: 'https://[::ffff:10.0.0.1]/a.png' },
  },
];
