/** Mail by the operator's SMTP server. */
import { isNativeError } from 'node:util/types';
import { createTransport } from 'nodemailer';

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

/** The server will not take this mail, now or later. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

export interface Mailer {
  /** @throws {MailRefusedError} when another try is of no use; whatever else went wrong may pass */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const CONNECT_MS = 10_000;
/** Servers that look a sender up first take their time. */
const GREETING_MS = 15_000;
const SILENCE_MS = 20_000;

export function createMailer({ url, from }: MailSettings): Mailer {
  const transport = createTransport({
    url, connectionTimeout: CONNECT_MS, dnsTimeout: CONNECT_MS, greetingTimeout: GREETING_MS, socketTimeout: SILENCE_MS,
    // Nothing of a mail is ever a path or an address to fetch.
    disableFileAccess: true, disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, messageId }) {
      try {
        // An address as an object is taken as it is: a text is a list, parsed by the rules of mail headers.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, messageId });
      } catch (error) {
        throw isRefusal(error) ? new MailRefusedError('the mail server refuses the mail', { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Of this mail: its addresses or its text, for good (RFC 5321, 4.2.1). A login that fails is the operator's to mend. */
function isRefusal(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}
