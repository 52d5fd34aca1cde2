/** A separate bucket on the run's S3 server for each test file. */
import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../../platform/blobs/blobSettings.ts';
import { askBroker } from './brokerClient.ts';

/** The server's only account. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export async function createTestBucket(): Promise<S3Settings> {
  const { endpoint } = await askBroker<{ endpoint: string }>('/s3');
  const settings = {
    bucket: `test-${randomBytes(6).toString('hex')}`,
    region: 'us-east-1',
    endpoint,
    credentials: CREDENTIALS,
    forcePathStyle: true,
  };
  const client = new S3Client(settings);
  await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
  client.destroy();
  return settings;
}
