/** Sends mail through the operator's SMTP server. */
import { isNativeError } from 'node:util/types';
import type { Transporter } from 'nodemailer';

export interface MailSettings {
  /** smtp://user:password@host:587, or smtps://…:465. With a password, the connection has to be encrypted. */
  url: string;
  /** `Attune <attune@example.com>` */
  from: string;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same whenever the same notification is sent again, so that most mail readers show it once. */
  messageId: string;
}

/**
 * The only error of mail. It is logged and stored in workflow histories, and the texts of servers name people: it
 * therefore contains only codes, no text of the server, and no `cause`.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The server will never accept this mail, so a retry is useless. Any other error may be temporary. */
  readonly isPermanent: boolean;
  /** Code of the mail library: ESOCKET, EAUTH, EENVELOPE, … */
  readonly code: string | null;
  /** The SMTP command that failed, such as `RCPT TO`; CONN before the first. */
  readonly command: string | null;
  /** Three-digit response code of the server. */
  readonly responseCode: number | null;

  constructor(error: unknown) {
    const { code, command, responseCode } = (isNativeError(error) ? error : {}) as {
      code?: unknown;
      command?: unknown;
      responseCode?: unknown;
    };
    const known = {
      code: knownWords(code),
      command: knownWords(command),
      responseCode: typeof responseCode === 'number' ? responseCode : null,
    };
    super(['the mail could not be sent', ...Object.values(known).filter((part) => part !== null)].join(', '));
    this.code = known.code;
    this.command = known.command;
    this.responseCode = known.responseCode;
    // A permanent error of this mail, in its addresses or its text (RFC 5321, 4.2.1). A failed login is not: the
    // operator can fix it.
    this.isPermanent =
      (code === 'EENVELOPE' || code === 'EMESSAGE') && known.responseCode !== null && known.responseCode >= 500;
  }
}

/** Returns only words of a known form: these contain no address. */
function knownWords(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z][A-Z0-9 ]{1,30}$/.test(value) ? value : null;
}

export interface Mailer {
  /**
   * @param signal aborts sending and closes the connection
   * @throws {MailError}
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  close(): void;
}

const CONNECT_MS = 10_000;
/** Servers that look up the sender first take some time. */
const GREETING_MS = 15_000;
const IDLE_TIMEOUT_MS = 20_000;

export function createMailer({ url, from }: MailSettings): Mailer {
  // Loaded with the first mail: most installations that could send mail never do.
  let loading: Promise<Transporter> | undefined;
  const open = (): Promise<Transporter> =>
    (loading ??= openTransport(url).catch((error: unknown) => {
      // The import may have failed for lack of file handles, for example; the next mail tries again.
      loading = undefined;
      throw error;
    }));
  return {
    async send({ to, subject, text, messageId }, signal) {
      try {
        const transport = await open();
        // An object is taken literally; a string would be parsed as a list by the rules of mail headers.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, messageId, signal });
      } catch (error) {
        throw new MailError(error);
      }
    },
    // A failure of the loading is that of the mail which caused it.
    close: () =>
      void loading?.then(
        (transport) => transport.close(),
        () => undefined,
      ),
  };
}

/**
 * Returns true when a password must not leave unencrypted: whoever is between us and the server could otherwise get it,
 * and the mails, by hiding that the server offers STARTTLS. An operator whose server has no STARTTLS says so with
 * `ignoreTLS=true` in the URL.
 */
function needsEncryption(url: string): boolean {
  const { username, password, searchParams } = new URL(url);
  return username + password !== '' && searchParams.get('ignoreTLS') !== 'true';
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    requireTLS: needsEncryption(url),
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    // No part of a mail is ever a path or URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
