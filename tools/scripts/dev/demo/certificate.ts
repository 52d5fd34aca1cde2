/**
 * Makes a certificate authority that lives as long as the stack, and one server certificate signed by it (RFC 5280,
 * ECDSA P-256). It is written out here because Node can sign but not build certificates, openssl is not on every
 * machine, and the libraries for it bring a dozen packages in place of these 60 lines. For loopback servers of
 * development only.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectId,
  octetString,
  sequence,
  set,
  utcTime,
  utf8,
} from './der.ts';

const DAY_MS = 86_400_000;
const VALID_DAYS = 365;
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const SERVER_AUTH = objectId('1.3.6.1.5.5.7.3.1');

export interface ServerCertificate {
  /** Certificate of the authority as PEM, for clients. */
  ca: string;
  /** Certificate and key of the server as PEM, for the listener. */
  cert: string;
  key: string;
}

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** @param hosts IPv4 addresses and host names of the server. */
export function makeServerCertificate(hosts: readonly string[], now: Date = new Date()): ServerCertificate {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = name('Attune development authority');
  const ca = certificate({
    issuer,
    subject: issuer,
    keys: authority,
    signer: authority,
    now,
    extensions: authorityExtensions(),
  });
  const cert = certificate({
    issuer,
    subject: name('Attune samples'),
    keys: server,
    signer: authority,
    now,
    extensions: serverExtensions(hosts),
  });
  return { ca, cert, key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

interface CertificateInput {
  issuer: Buffer;
  subject: Buffer;
  keys: KeyPair;
  signer: KeyPair;
  now: Date;
  extensions: Buffer[];
}

function certificate({ issuer, subject, keys, signer, now, extensions }: CertificateInput): string {
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(utcTime(new Date(now.getTime() - DAY_MS)), utcTime(new Date(now.getTime() + VALID_DAYS * DAY_MS))),
    subject,
    publicKey,
    explicit(3, sequence(...extensions, ...keyIdentifiers(keys, signer))),
  );
  return pem(sequence(body, ECDSA_WITH_SHA256, bitString(sign('sha256', body, signer.privateKey))));
}

function name(commonName: string): Buffer {
  return sequence(set(sequence(objectId('2.5.4.3'), utf8(commonName))));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** Returns basic constraints and key usage: an authority that signs certificates. */
function authorityExtensions(): Buffer[] {
  return [
    extension('2.5.29.19', sequence(boolean(true)), true),
    extension('2.5.29.15', bitString(Buffer.from([0b0000_0100]), 2), true),
  ];
}

/**
 * Returns the extensions of the server: not an authority; digital signature; server authentication; the server's names.
 */
function serverExtensions(hosts: readonly string[]): Buffer[] {
  const names = hosts.map((host) =>
    isIPv4(host) ? implicit(7, Buffer.from(host.split('.').map(Number))) : implicit(2, Buffer.from(host)),
  );
  return [
    extension('2.5.29.19', sequence(), true),
    extension('2.5.29.15', bitString(Buffer.from([0b1000_0000]), 7), true),
    extension('2.5.29.37', sequence(SERVER_AUTH)),
    extension('2.5.29.17', sequence(...names)),
  ];
}

function keyIdentifiers(keys: KeyPair, signer: KeyPair): Buffer[] {
  return [
    extension('2.5.29.14', octetString(keyId(keys))),
    extension('2.5.29.35', sequence(implicit(0, keyId(signer)))),
  ];
}

/**
 * Computes the key id by RFC 7093, method 1, over the whole key structure; any value that is stable for a key would do.
 */
function keyId(keys: KeyPair): Buffer {
  return createHash('sha256')
    .update(keys.publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
