/** Mail by the operator's SMTP server. */
import { isNativeError } from 'node:util/types';
import type { Transporter } from 'nodemailer';

export interface MailSettings {
  /** smtp://user:password@host:587, or smtps://…:465. */
  url: string;
  /** `Attune <attune@example.com>` */
  from: string;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same for the same news: a mail that is sent twice is one to most readers. */
  messageId: string;
}

/**
 * The one error of mail. It is logged and stored in workflow histories, and what servers say names people: so it has
 * codes alone, no words of the server's, and no `cause`.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The server will not take this mail, now or later: another try is of no use. All else may pass. */
  readonly isForGood: boolean;
  /** Of the mail library: ESOCKET, EAUTH, EENVELOPE, … */
  readonly code: string | null;
  /** The SMTP command that failed: `RCPT TO`; CONN before the first. */
  readonly command: string | null;
  /** The server's, of three digits. */
  readonly responseCode: number | null;

  constructor(error: unknown) {
    const { code, command, responseCode } = (isNativeError(error) ? error : {}) as {
      code?: unknown;
      command?: unknown;
      responseCode?: unknown;
    };
    const known = {
      code: wordsOf(code),
      command: wordsOf(command),
      responseCode: typeof responseCode === 'number' ? responseCode : null,
    };
    super(['the mail could not be sent', ...Object.values(known).filter((part) => part !== null)].join(', '));
    this.code = known.code;
    this.command = known.command;
    this.responseCode = known.responseCode;
    // Of this mail: its addresses or its text, for good (RFC 5321, 4.2.1). A login that fails is the operator's to mend.
    this.isForGood =
      (code === 'EENVELOPE' || code === 'EMESSAGE') && known.responseCode !== null && known.responseCode >= 500;
  }
}

/** Only words of a known shape pass: they carry no address. */
function wordsOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z][A-Z0-9 ]{1,30}$/.test(value) ? value : null;
}

export interface Mailer {
  /**
   * @param signal ends it, with its connection
   * @throws {MailError}
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  close(): void;
}

const CONNECT_MS = 10_000;
/** Servers that look a sender up first take their time. */
const GREETING_MS = 15_000;
const SILENCE_MS = 20_000;

export function createMailer({ url, from }: MailSettings): Mailer {
  // Loaded for the first mail: most installations that could send never do.
  let loading: Promise<Transporter> | undefined;
  const open = (): Promise<Transporter> => (loading ??= openTransport(url));
  return {
    async send({ to, subject, text, messageId }, signal) {
      try {
        const transport = await open();
        // An address as an object is taken as it is: a text is a list, parsed by the rules of mail headers.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, messageId, signal });
      } catch (error) {
        throw new MailError(error);
      }
    },
    close: () => void loading?.then((transport) => transport.close()),
  };
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    // Nothing of a mail is ever a path or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
