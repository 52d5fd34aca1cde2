/**
 * Name resolution for outgoing requests: the hosts file, then the name servers.
 *
 * `dns.lookup` is not used: it runs in libuv's pool of four threads, so a few names whose servers never answer would
 * block every other lookup, and file access too. c-ares waits without a thread and with a time limit. It does not read
 * the hosts file, hence the first step. Search domains are not applied: a user-given name is taken as complete.
 */
import { Resolver } from 'node:dns/promises';
import { readFile, stat } from 'node:fs/promises';
import { OutgoingError } from './errors.ts';

/** Resolves with all addresses of a name, IPv4 and IPv6. @throws {OutgoingError} `dns` when there are none */
export type Resolve = (name: string) => Promise<string[]>;

export interface SystemResolverOptions {
  /** Name servers as `address` or `address:port`; the system's own by default. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** Time limit for one query to one server; each query is sent twice. */
  readonly timeoutMs?: number;
}

export function createSystemResolver(options: SystemResolverOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 2_000, tries: 2 });
  if (options.servers) resolver.setServers(options.servers);
  const readHosts = createHostsReader(options.hostsFile ?? '/etc/hosts');
  return async (name) => {
    const host = name.toLowerCase().replace(/\.$/, '');
    const fixed = (await readHosts()).get(host);
    return fixed ?? askNameServers(resolver, host);
  };
}

/**
 * Queries both families. One may fail (no such record, or a server that drops AAAA queries); the other's answer
 * suffices.
 */
async function askNameServers(resolver: Resolver, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new OutgoingError('dns');
  return addresses;
}

/** Reads the hosts file again only when it has changed. A missing file counts as empty. */
function createHostsReader(path: string): () => Promise<Map<string, string[]>> {
  let hosts = new Map<string, string[]>();
  let version = '';
  return async () => {
    const found = await stat(path).catch(() => null);
    const current = found === null ? 'none' : `${found.mtimeMs}/${found.size}`;
    if (current !== version) {
      hosts = parseHosts(found === null ? '' : await readFile(path, 'utf8').catch(() => ''));
      version = current;
    }
    return hosts;
  };
}

/** Parses hosts(5): an address, then its names; `#` starts a comment. A name may be on several lines. */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!address) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), address]);
    }
  }
  return hosts;
}
