/**
 * Makes a certificate authority that lives as long as the stack, and one server certificate signed by it (ECDSA P-256).
 * Node can sign but not build certificates, and openssl is not on every machine. For loopback servers of development
 * only.
 */
// The library's dependency injection needs it, and expects us to import it first.
import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

const DAY_MS = 86_400_000;
const VALID_DAYS = 365;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const AUTHORITY = 'CN=Attune development authority';
const SERVER = 'CN=Attune samples';

export interface ServerCertificate {
  /** Certificate of the authority as PEM, for clients. */
  ca: string;
  /** Certificate and key of the server as PEM, for the listener. */
  cert: string;
  key: string;
}

/** @param hosts IP addresses and host names of the server. */
export async function makeServerCertificate(
  hosts: readonly string[],
  now: Date = new Date(),
): Promise<ServerCertificate> {
  const [authority, server] = await Promise.all([makeKeys(), makeKeys()]);
  const shared = {
    issuer: AUTHORITY,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + VALID_DAYS * DAY_MS),
  };
  const [ca, cert] = await Promise.all([
    X509CertificateGenerator.create({
      ...shared,
      subject: AUTHORITY,
      publicKey: authority.publicKey,
      extensions: await authorityExtensions(authority),
    }),
    X509CertificateGenerator.create({
      ...shared,
      subject: SERVER,
      publicKey: server.publicKey,
      extensions: await serverExtensions(server, authority, hosts),
    }),
  ]);
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', server.privateKey), 'PRIVATE KEY');
  return { ca: ca.toString('pem'), cert: cert.toString('pem'), key };
}

const makeKeys = (): Promise<webcrypto.CryptoKeyPair> => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

const authorityExtensions = async ({ publicKey }: webcrypto.CryptoKeyPair) => [
  new BasicConstraintsExtension(true, undefined, true),
  new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
  await SubjectKeyIdentifierExtension.create(publicKey),
];

const serverExtensions = async (
  server: webcrypto.CryptoKeyPair,
  authority: webcrypto.CryptoKeyPair,
  hosts: readonly string[],
) => [
  new BasicConstraintsExtension(false, undefined, true),
  new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
  new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
  new SubjectAlternativeNameExtension(hosts.map((host) => ({ type: isIP(host) ? 'ip' : 'dns', value: host }))),
  await SubjectKeyIdentifierExtension.create(server.publicKey),
  await AuthorityKeyIdentifierExtension.create(authority.publicKey),
];
