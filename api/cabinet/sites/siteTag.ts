/** The tag code for a site's pages: GET /sites/{id}/tag. */
import Type from 'typebox';
import { findTagKey } from '../../../db/sites/siteKeys.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { nullable, type Static } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, SitePath } from '../cabinetOperation.ts';

const Tag = Type.Object(
  {
    key: nullable(
      Type.String({
        description:
          'Самый новый действующий ключ счётчика; null — такого нет, выпустите: POST /sites/{id}/keys с kind: tag',
      }),
    ),
    script_url: Type.String(),
    snippet: nullable(
      Type.String({
        description: 'Вставить в <head>: загрузка не задерживает страницу, команды svc(…) до неё ждут в очереди',
      }),
    ),
    external_snippet: nullable(
      Type.String({
        description:
          'То же без встроенного скрипта, для строгой политики CSP: script-src и connect-src с адресом установки',
      }),
    ),
  },
  { title: 'SiteTag' },
);

export const getSiteTag = define({
  method: 'get',
  path: '/sites/{id}/tag',
  operationId: 'getSiteTag',
  tag: 'sites',
  summary: 'Код счётчика для страниц сайта',
  params: SitePath,
  replies: {
    200: {
      description: 'Код счётчика',
      schema: Tag,
      example: tagOf('https://attune.example.com', `as_${'A'.repeat(24)}`, { honourGpc: true }),
    },
  },
  errors: [404],
  async handle({ params }, { pool, publicUrl }) {
    const site = await findSite(pool, params.id);
    if (!site) throw notFound();
    return { status: 200, body: tagOf(publicUrl, await findTagKey(pool, params.id), site) };
  },
});

/** @param publicUrl an origin, so nothing in it needs escaping; a key consists of letters and digits */
function tagOf(publicUrl: string, key: string | null, { honourGpc }: { honourGpc: boolean }): Static<typeof Tag> {
  const scriptUrl = `${publicUrl}/tag.js`;
  if (key === null) return { key, script_url: scriptUrl, snippet: null, external_snippet: null };
  const queue = `window.svc=window.svc||function(){(svc.q=svc.q||[]).push(arguments)};svc('init','${key}'${honourGpc ? '' : ',{gpc:false}'});`;
  return {
    key,
    script_url: scriptUrl,
    snippet: `<script>${queue}</script>\n<script async src="${scriptUrl}"></script>`,
    external_snippet: `<script async src="${scriptUrl}" data-key="${key}"${honourGpc ? '' : ' data-off="gpc"'}></script>`,
  };
}
