import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMailer, type Mailer } from '../../../platform/outgoing/mail.ts';
import { startTestSmtp, type TestSmtp } from '../../support/servers/smtp.ts';

const MAIL = {
  to: 'anna@example.com',
  subject: 'Выгрузка готова: «Магазин», ноябрь',
  text: 'Первая строка\n\nhttps://attune.example.com/exports/abc',
  messageId: '<1@attune.test>',
};

let smtp: TestSmtp;
let mailer: Mailer;

beforeAll(async () => {
  smtp = await startTestSmtp();
  mailer = createMailer({ url: smtp.url, from: 'Attune <attune@example.com>' });
});
afterAll(async () => {
  mailer.close();
  await smtp.close();
});
beforeEach(() => {
  Object.assign(smtp, { received: [], refusal: null, passwords: [] });
});

describe('a mail', () => {
  it('arrives as it was sent, under the given id', async () => {
    await mailer.send(MAIL);
    const [mail] = smtp.received;
    expect(mail?.to).toEqual(['anna@example.com']);
    expect(mail?.header('from')).toBe('Attune <attune@example.com>');
    expect(mail?.header('message-id')).toBe('<1@attune.test>');
    expect(mail?.text.replaceAll('\r\n', '\n').trimEnd()).toBe(MAIL.text);
  });

  it('has one recipient and no injected headers, whatever its texts contain', async () => {
    await mailer.send({ ...MAIL, subject: 'x\r\nBcc: eve@example.com\r\n\r\nbody' });
    await mailer.send({ ...MAIL, to: 'anna@example.com' });
    expect(smtp.received.map(({ to }) => to)).toEqual([['anna@example.com'], ['anna@example.com']]);
    expect(smtp.received[0]?.header('bcc')).toBeNull();
  });

  it('fails permanently after a reply of 550, and temporarily after 451', async () => {
    smtp.refusal = { code: 550, message: 'no such mailbox' };
    await expect(mailer.send(MAIL)).rejects.toMatchObject({
      name: 'MailError',
      isPermanent: true,
      code: 'EENVELOPE',
      command: 'RCPT TO',
      responseCode: 550,
    });
    smtp.refusal = { code: 451, message: 'try again later' };
    await expect(mailer.send(MAIL)).rejects.toMatchObject({ name: 'MailError', isPermanent: false, responseCode: 451 });
    smtp.refusal = null;
    await mailer.send(MAIL);
    expect(smtp.received).toHaveLength(1);
  });

  it('fails temporarily if the server is unavailable, without naming server, login or recipient', async () => {
    const away = createMailer({ url: 'smtp://someone:password@127.0.0.1:1', from: 'x@example.com' });
    const error: unknown = await away.send(MAIL).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'MailError',
      isPermanent: false,
      code: 'ESOCKET',
      command: 'CONN',
      responseCode: null,
    });
    expect(inspect(error, { depth: 5 })).not.toMatch(/127\.0\.0\.1|someone|password|anna/);
    away.close();
  });

  it('is sent even if the mail library could not be loaded before, for lack of file handles', async () => {
    const entry = join(import.meta.dirname, 'fixtures', 'mailWithoutFiles.ts');
    const limited = ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, entry, smtp.url];
    const { stdout } = await promisify(execFile)('sh', limited, { env: { PATH: process.env['PATH'] } });
    expect(JSON.parse(stdout)).toEqual([false, true]);
    expect(smtp.received).toHaveLength(1);
  });

  it('is not sent to a server without encryption, nor is the password, unless the URL says ignoreTLS', async () => {
    const login = smtp.url.replace('://', '://someone:hunter2@');
    const wary = createMailer({ url: login, from: 'x@example.com' });
    await expect(wary.send(MAIL)).rejects.toMatchObject({ name: 'MailError', isPermanent: false, command: 'STARTTLS' });
    expect(smtp).toMatchObject({ received: [], passwords: [] });
    wary.close();

    const told = createMailer({ url: `${login}?ignoreTLS=true`, from: 'x@example.com' });
    await told.send(MAIL);
    expect(smtp.passwords).toEqual(['hunter2']);
    expect(smtp.received).toHaveLength(1);
    told.close();
  });

  it("fails without revealing the server's reply, which may be about people", async () => {
    for (const code of [550, 451]) {
      smtp.refusal = { code, message: '<anna@example.com>: Anna Ivanova has left the company' };
      const error: unknown = await mailer.send(MAIL).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ responseCode: code });
      expect(inspect(error, { depth: 5, showHidden: true })).not.toMatch(/anna|company/i);
    }
  });

  it('fails temporarily and closes its connection when its signal is aborted', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const patient = createMailer({
      url: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      from: 'x@example.com',
    });
    const stopping = new AbortController();
    const connected = once(silent, 'connection');
    const sending = patient.send(MAIL, stopping.signal);
    const [socket] = await connected;
    const closed = once(socket.resume(), 'close');
    stopping.abort();
    await expect(sending).rejects.toMatchObject({ name: 'MailError', isPermanent: false, code: 'EABORT' });
    await closed;
    patient.close();
    silent.close();
  });
});
