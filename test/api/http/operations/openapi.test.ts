import { describe, expect, it } from '@jest/globals';
import { describeApi } from '../../../../api/http/operations/openapi.ts';
import { cabinetDescription } from '../../../../api/cabinetApi.ts';
import { contentDescription, contentOperations, contentPublicOperations } from '../../../../api/contentApi.ts';
import { RUSSIAN } from '../../../../api/http/errorMessages.ts';
import { findDescriptionFaults, tagFaults } from '../../../../tools/scripts/openapiCheck.ts';

const document = describeApi({
  description: contentDescription,
  texts: RUSSIAN,
  operations: contentOperations,
  publicOperations: contentPublicOperations,
}) as {
  paths: Record<string, Record<string, { security: unknown[]; responses: object }>>;
  components: { schemas: Record<string, { properties: Record<string, unknown>; additionalProperties?: boolean }> };
};

describe('the descriptions', () => {
  // proves: versions/2, analytics-versions/2
  it('are valid and complete, with truthful examples', async () => {
    expect(await findDescriptionFaults()).toEqual([]);
  });

  it('are at fault if a tag is described twice, is not used or is not described', () => {
    const paths = { '/items': { get: { tags: ['items'] }, put: { tags: ['output'] } } };
    const tags = [{ name: 'items' }, { name: 'keys' }, { name: 'items' }];
    expect(tagFaults({ paths, tags })).toEqual([
      'tag items is described twice',
      'tag keys is described and not used',
      'tag output is used and not described',
    ]);
  });

  // proves: endpoints/common-statuses
  it('name the documented statuses', () => {
    expect(Object.keys(document.paths['/items/{id}']?.['put']?.responses ?? {})).toEqual([
      '200',
      '201',
      '400',
      '401',
      '403',
      '408',
      '413',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(document.paths['/items/{id}']?.['get']?.responses ?? {})).toContain('404');
  });

  // proves: versions/2
  it('require a key everywhere except for the health check and the description', () => {
    const open = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods)
        .filter((operation) => operation.security.length === 0)
        .map(() => path),
    );
    expect(open).toEqual(['/health', '/openapi.json']);
  });

  it('come from the schemas that validate', () => {
    const put = document.components.schemas['ItemPutRequest'];
    expect(put?.additionalProperties).toBe(false);
    expect(put?.properties['title']).toEqual({ type: ['string', 'null'], maxLength: 1000 });
    expect(put?.properties['media']).toMatchObject({
      type: ['array', 'null'],
      maxItems: 50,
      items: { $ref: '#/components/schemas/MediaIn' },
    });
  });

  it('allow recommendations for nobody in particular', () => {
    const { schemas } = document.components;
    const user = { ofFeed: schemas['FeedRequest']?.properties['user'], named: schemas['AudienceIds'] };
    expect(JSON.stringify(user)).toContain('anonymous_id');
    expect(JSON.stringify(user)).not.toContain('"required"');
    expect(JSON.stringify(schemas['EndUserIds'])).toContain('"required":["user_id"]');
  });

  // proves: versions/1
  it('have their own base addresses', () => {
    expect([contentDescription.basePath, cabinetDescription.basePath]).toEqual(['/content/api/v1', '/cabinet/api']);
  });
});
