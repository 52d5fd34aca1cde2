/** The activity of the queue `webhook` that tells by mail of an export. */
import { ApplicationFailure } from '@temporalio/common';
import type pg from 'pg';
import { closeExportMail, readExportNews, type ExportNews } from '../../db/reportExports.ts';
import { loadSiteSettings } from '../../db/sites/settings.ts';
import { createExportLinks } from '../../domain/exportLinks.ts';
import type { ExportRef } from '../../domain/exports.ts';
import { FAILURE } from '../../domain/failureTypes.ts';
import { MailRefusedError, type Mailer } from '../../outgoing/mail.ts';
import type { Logger } from '../../process/logger.ts';
import { currentLogFields } from '../logFields.ts';

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
     * Sends whoever asked for an export the link to it, once: told again it finds that it has been told.
     * @throws {ApplicationFailure} of no use to try again, when the server refuses the mail for good
     */
    async mailExport(ref: ExportRef): Promise<void> {
      const [news, sites] = await Promise.all([readExportNews(pool, ref), loadSiteSettings(pool, [ref.siteId])]);
      if (!news?.email || !mailer || sites.get(ref.siteId)?.access !== 'open') return closeExportMail(pool, ref, 'none');
      const messageId = `<${ref.exportId}@${new URL(publicUrl).hostname}>`;
      try {
        await mailer.send({ to: news.email, messageId, ...mailOf(news, links.urlFor(ref, news.expiresAt)) });
      } catch (error) {
        logger.warn({ ...currentLogFields(), err: error }, 'a mail could not be sent');
        if (error instanceof MailRefusedError) throw ApplicationFailure.nonRetryable(error.message, FAILURE.permanent);
        throw error;
      }
      await closeExportMail(pool, ref, 'sent');
    },
  };
}

/** In the language of the cabinet. */
function mailOf({ siteTitle, report, rows, sampled, expiresAt }: ExportNews, url: string): { subject: string; text: string } {
  const { date_from: from, date_to: to } = report as { date_from: string; date_to: string };
  const day = expiresAt.toISOString().slice(0, 10);
  return {
    subject: `Выгрузка готова: ${siteTitle}, ${from} — ${to}`,
    text: [
      `Отчёт сайта «${siteTitle}» за ${from} — ${to} готов, строк: ${rows}.`,
      ...(sampled ? ['Он посчитан по выборке: 10 % посетителей.'] : []),
      '', url, '',
      `Ссылка действует до ${day}, затем файл удаляется. Она открывает файл без входа: не передавайте её посторонним.`,
    ].join('\n'),
  };
}
