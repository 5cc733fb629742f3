// Reads the lines in which the Wayback Machine's index lists captures.
import { z } from '#core/action.ts'
import { replayUrl } from './timestamp.ts'

/** The requested fields, in the order of the answer. */
export const captureFields = [
  'timestamp',
  'original',
  'mimetype',
  'statuscode',
  'digest',
  'length',
] as const

export const captureObject = z.looseObject({
  timestamp: z.string().describe('YYYYMMDDhhmmss, UTC.'),
  url: z.string(),
  mimetype: z.string(),
  status: z.int().nullable(),
  digest: z.string(),
  length: z.int().nullable(),
  archived_url: z.string(),
})

/** The captures, and the key of the next page, which follows them after an empty line. */
export function readCaptures(lines: readonly string[][]) {
  const end = lines.findIndex((line) => line.length === 0)
  return {
    captures: (end === -1 ? lines : lines.slice(0, end)).map(describeCapture),
    nextKey: (end === -1 ? undefined : lines[end + 1]?.[0]) ?? null,
  }
}

function describeCapture([
  moment = '',
  url = '',
  mimetype = '',
  status,
  digest = '',
  length,
]: readonly string[]) {
  return {
    timestamp: moment,
    url,
    mimetype,
    status: readNumber(status),
    digest,
    length: readNumber(length),
    archived_url: replayUrl(moment, url),
  }
}

const readNumber = (text = '') => (/^\d+$/.test(text) ? Number(text) : null)
