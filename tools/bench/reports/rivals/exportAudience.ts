/**
 * Exports what sites know about people as a table `audience` of visitors for the rivals, read once through the
 * product's own view.
 */
import { quotedText } from '../../../../reports/sql/quotedText.ts';
import type { Lake } from '../../../../reports/lake/index.ts';

/** Writes `(site_id, visitor_id, gender, age_group)` as Parquet. */
export async function exportAudience(lake: Lake, sites: readonly string[], file: string): Promise<void> {
  const query = `
    select l.site_id, l.visitor_id, max(a.value) filter (where a.attribute = 'gender') as gender, max(a.value) filter (where a.attribute = 'age_group') as age_group
      from site_visitors l join site_audience a on a.site_id = l.site_id and a.kind = 'user' and a.person_id = l.user_id
     where l.site_id = any(array[${sites.map(quotedText).join(', ')}]) and a.attribute in ('gender', 'age_group') group by 1, 2`;
  await lake.withConnection(async (connection) => {
    await connection.query(`attach '' as product (type postgres, secret lake_catalogue, read_only)`);
    try {
      await connection.query(
        `copy (from postgres_query('product', ${quotedText(query)})) to ${quotedText(file)} (format parquet)`,
      );
    } finally {
      await connection.query('detach product');
    }
  });
}
