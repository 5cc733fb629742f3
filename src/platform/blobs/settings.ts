// The settings of the bucket for files.
import { z } from 'zod'

export const bucketSettings = {
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe(
      'Bucket for the bytes of files, in a store that speaks the S3 protocol. Callers reach it directly. Unset: DATA_DIR/files.',
    ),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of the store, without the bucket. Callers must reach it too. Unset: that of Amazon in S3_REGION.',
    ),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('us-east-1')
    .describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Id of the key for the bucket.'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of the key for the bucket.'),
} as const
