/** A mail server on loopback that keeps the messages it receives, refuses recipients on demand, or is down. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  /** The whole message as received. */
  raw: string;
  /** The text of its only part. */
  text: string;
  header(name: string): string | null;
}

export interface TestSmtp {
  url: string;
  received: ReceivedMail[];
  /** The answer to every recipient; null accepts them. */
  refusal: { code: number; message: string } | null;
  /** Number of recipients named so far, including refused ones. */
  recipientCount: number;
  /** Passwords that arrived, all of them unencrypted. */
  passwords: string[];
  close(): Promise<void>;
}

export async function startTestSmtp(): Promise<TestSmtp> {
  const state: TestSmtp = {
    url: '',
    received: [],
    refusal: null,
    recipientCount: 0,
    passwords: [],
    close: () => Promise.resolve(),
  };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth({ username, password }, _session, callback) {
      state.passwords.push(password ?? '');
      callback(null, { user: username });
    },
    onRcptTo(_address, _session, callback) {
      state.recipientCount += 1;
      callback(state.refusal && Object.assign(new Error(state.refusal.message), { responseCode: state.refusal.code }));
    },
    onData(stream, { envelope }, callback) {
      void text(stream).then((raw) => {
        state.received.push(
          mailOf(
            raw,
            envelope.rcptTo.map(({ address }) => address),
          ),
        );
        callback();
      });
    },
  });
  const listening = once(server.server, 'listening');
  server.listen(0, '127.0.0.1');
  await listening;
  state.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  state.close = () => new Promise((resolve) => server.close(() => resolve()));
  return state;
}

function mailOf(raw: string, to: string[]): ReceivedMail {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const header = (name: string): string | null =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      ?.slice(name.length + 1)
      .trim() ?? null;
  return { to, raw, header, text: decoded(body.join('\r\n\r\n'), header('content-transfer-encoding')) };
}

function decoded(body: string, encoding: string | null): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
