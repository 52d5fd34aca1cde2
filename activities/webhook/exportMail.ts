/** The activity on the queue `webhook` that announces a finished export by mail. */
import { CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type pg from 'pg';
import { closeExportMail, readExportNews, type ExportNews } from '../../db/reports/exportMail.ts';
import { loadSiteSettings } from '../../db/sites/siteSettings.ts';
import { createExportLinks } from '../../domain/reports/exportLinks.ts';
import type { Language } from '../../domain/language.ts';
import type { ExportRef } from '../../domain/reports/exports.ts';
import { FAILURE } from '../../domain/jobs/failureTypes.ts';
import { MailError, type Mailer } from '../../platform/outgoing/mail.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { runChunk } from '../runChunk.ts';

export interface MailDeps {
  pool: pg.Pool;
  /** Null without a mail server. */
  mailer: Mailer | null;
  secretKey: Buffer;
  publicUrl: string;
  logger: Logger;
}

export type MailActivities = ReturnType<typeof createMailActivities>;

export function createMailActivities({ pool, mailer, secretKey, publicUrl, logger }: MailDeps) {
  const links = createExportLinks(secretKey, publicUrl);
  return {
    /**
     * Mails the link once to the person who requested the export; a repeated call finds that it has been sent. It stops
     * when its workflow cancels it or the process stops, and is retried.
     * @throws {ApplicationFailure} `permanent` when the server refuses the mail for good; any other error may be
     * temporary
     */
    mailExport: (ref: ExportRef): Promise<void> =>
      runChunk(logger, async () => {
        const [news, sites] = await Promise.all([readExportNews(pool, ref), loadSiteSettings(pool, [ref.siteId])]);
        if (!news?.email || !mailer || sites.get(ref.siteId)?.access !== 'open')
          return closeExportMail(pool, ref, 'none');
        const messageId = `<${ref.exportId}@${new URL(publicUrl).hostname}>`;
        const { cancellationSignal } = Context.current();
        await mailer
          .send({ to: news.email, messageId, ...mailOf(news, links.urlFor(ref, news.expiresAt)) }, cancellationSignal)
          .catch((error: unknown) => {
            throw toFailure(error, cancellationSignal);
          });
        await closeExportMail(pool, ref, 'sent');
      }),
  };
}

function toFailure(error: unknown, { aborted }: AbortSignal): unknown {
  if (aborted) return new CancelledFailure('the work is no longer needed');
  if (!(error instanceof MailError)) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: error.isPermanent ? FAILURE.permanent : FAILURE.temporary,
    nonRetryable: error.isPermanent,
  });
}

interface MailParts {
  siteTitle: string;
  from: string;
  to: string;
  rows: number;
  sampled: boolean;
  url: string;
  /** The last day of the link. */
  day: string;
}

interface MailText {
  subject: string;
  text: string;
}

function mailOf({ language, report, expiresAt, ...news }: ExportNews, url: string): MailText {
  const { date_from: from, date_to: to } = report as { date_from: string; date_to: string };
  return MAILS[language]({ ...news, from, to, url, day: expiresAt.toISOString().slice(0, 10) });
}

const MAILS: Readonly<Record<Language, (parts: MailParts) => MailText>> = {
  ru: ({ siteTitle, from, to, rows, sampled, url, day }) => ({
    subject: `Выгрузка готова: ${siteTitle}, ${from} — ${to}`,
    text: [
      `Отчёт сайта «${siteTitle}» за ${from} — ${to} готов, строк: ${rows}.`,
      ...(sampled ? ['Он посчитан по выборке: 10 % посетителей.'] : []),
      '',
      url,
      '',
      `Ссылка действует до ${day}, затем файл удаляется. Она открывает файл без входа: не передавайте её посторонним.`,
    ].join('\n'),
  }),
  en: ({ siteTitle, from, to, rows, sampled, url, day }) => ({
    subject: `Export ready: ${siteTitle}, ${from} to ${to}`,
    text: [
      `The report of the site “${siteTitle}” from ${from} to ${to} is ready; rows: ${rows}.`,
      ...(sampled ? ['It is based on a sample of 10% of the visitors.'] : []),
      '',
      url,
      '',
      `The link works until ${day}; then the file is deleted. It opens the file without signing in, so keep it to yourself.`,
    ].join('\n'),
  }),
};
