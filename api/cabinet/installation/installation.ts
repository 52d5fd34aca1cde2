/** The state of the whole installation: GET /installation. */
import { define } from '../cabinetOperation.ts';
import { checkDisks } from './checkDisks.ts';
import { Installation, installationExample } from './installationSchemas.ts';
import { readParts } from './checkParts.ts';
import { quotasInUse } from './quotasInUse.ts';
import { readWork } from './work.ts';

export const getInstallation = define({
  method: 'get',
  path: '/installation',
  operationId: 'getInstallation',
  tag: 'state',
  summary: 'Состояние установки',
  description:
    'Здоровье частей, место на дисках, что ждёт и что не удалось — по видам, старейшее первым, с workflow в Temporal, — и кто близок к своей квоте. Отвечает и тогда, когда Temporal недоступен. Только admin.',
  replies: { 200: { description: 'Состояние', schema: Installation, example: installationExample } },
  errors: [],
  async handle(_request, { pool, blobs, installation }) {
    const { version, temporalUrl, folders, selectionUrls } = installation;
    const [parts, disks, work, quotas] = await Promise.all([
      readParts({ pool, blobs, selectionUrls }),
      checkDisks(folders),
      readWork(pool, temporalUrl),
      quotasInUse(pool),
    ]);
    return {
      status: 200,
      body: {
        version,
        node_version: process.versions.node,
        temporal_url: temporalUrl,
        parts,
        disks,
        work,
        quotas,
      },
    };
  },
});
