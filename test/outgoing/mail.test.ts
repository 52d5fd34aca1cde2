import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMailer, MailRefusedError, type Mailer } from '../../outgoing/mail.ts';
import { startTestSmtp, type TestSmtp } from '../support/smtp.ts';

const MAIL = { to: 'anna@example.com', subject: 'Выгрузка готова: «Магазин», ноябрь', text: 'Первая строка\n\nhttps://attune.example.com/exports/abc', messageId: '<1@attune.test>' };

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
  Object.assign(smtp, { received: [], refusal: null });
});

describe('a mail', () => {
  it('comes as it was sent, under the id that it was given', async () => {
    await mailer.send(MAIL);
    const [mail] = smtp.received;
    expect(mail?.to).toEqual(['anna@example.com']);
    expect(mail?.header('from')).toBe('Attune <attune@example.com>');
    expect(mail?.header('message-id')).toBe('<1@attune.test>');
    expect(mail?.text.replaceAll('\r\n', '\n').trimEnd()).toBe(MAIL.text);
  });

  it('has one recipient and no headers of others, whatever is in its texts', async () => {
    await mailer.send({ ...MAIL, subject: 'x\r\nBcc: eve@example.com\r\n\r\nbody' });
    await mailer.send({ ...MAIL, to: 'anna@example.com' });
    expect(smtp.received.map(({ to }) => to)).toEqual([['anna@example.com'], ['anna@example.com']]);
    expect(smtp.received[0]?.header('bcc')).toBeNull();
  });

  it('that the server refuses for good is told from one that may pass', async () => {
    smtp.refusal = { code: 550, message: 'no such mailbox' };
    await expect(mailer.send(MAIL)).rejects.toThrow(MailRefusedError);
    smtp.refusal = { code: 451, message: 'try again later' };
    await expect(mailer.send(MAIL)).rejects.not.toThrow(MailRefusedError);
    smtp.refusal = null;
    await mailer.send(MAIL);
    expect(smtp.received).toHaveLength(1);
  });

  it('of a server that is away may pass too', async () => {
    const away = createMailer({ url: 'smtp://127.0.0.1:1', from: 'x@example.com' });
    const error = await away.send(MAIL).then(() => null, (reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ESOCKET' });
    expect(error).not.toBeInstanceOf(MailRefusedError);
    away.close();
  });
});
